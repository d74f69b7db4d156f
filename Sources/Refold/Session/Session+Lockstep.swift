import EventStoreCore

// A reactor that transforms mutations or states is decided in lockstep with the store: by the
// writer, under the store's lock. Operators in the transform of mutations remember what passed
// them, which cannot be taken back, so nothing may ever be decided again; states must have passed
// theirs before a sender is told. Batches form all the same, of what is waiting.
extension Session {
  /// Decides and commits what is waiting, until nothing is.
  func writeInLockstep() {
    while takesLoopForInput() {
      do {
        finish(try decideAndCommit())
      } catch {
        core.withLock { core in
          core.leaveLoop(effectsGoOn: workspace.effectsGoOn)
          core.isWriting = false
        }
        return stop(error)
      }
    }
  }

  /// Becomes the loop, where something waits that may be taken up now.
  private func takesLoopForInput() -> Bool {
    let (isLoop, ready) = core.withLock { core -> (Bool, [@Sendable () -> Void]) in
      if core.failure == nil,
        core.hasInput(sequential: options.isSequential, effectsGoOn: core.effectsGoOn)
      {
        return (core.takeLoop(), [])
      }
      core.isWriting = false
      return (false, core.readyWaiters())
    }
    for resume in ready { resume() }
    return isLoop
  }

  private func decideAndCommit() throws -> Written {
    var taken: [Reply] = []
    do {
      var written = try transaction { transaction, decided in
        let isBehind =
          try transaction.tail(of: info.id).version != workspace.log.progress.version
        if isBehind { try foldOthers(transaction) }
        workspace.batch.base = workspace.log.progress.version
        let repeated = try decideWaiting(transaction, &taken)
        let batch = workspace.close(next: takeSpareBatch())
        decided = batch
        var written = try append(batch, transaction, backlog: SessionCore.Backlog())
        written.foldedOthers = isBehind
        written.answers = try repeated.map {
          try answer(to: $0.delivery, $0.reply, transaction)
        }
        return written
      }
      written.isLockstep = true
      core.withLock { $0.leaveLoop(effectsGoOn: workspace.effectsGoOn) }
      return written
    } catch {
      for step in workspace.close(next: Batch()).steps { step.discard() }
      let stopped = SessionError.stopped(session: info.name.rawValue, reason: error)
      for reply in taken { tell(reply, .failure(stopped)) }
      throw error
    }
  }

  /// Decides what waits into the open batch, as much as it holds.
  /// - Returns: the actions that were delivered before.
  private func decideWaiting(
    _ transaction: any EventStoreTransaction, _ taken: inout [Reply]
  ) throws -> [any Accepted] {
    var repeated: [any Accepted] = []
    var seen: Set<[UInt8]> = []
    let limit = max(1, options.actionsPerCommit)
    while !workspace.isFull(limit: limit), let input = next() {
      if case .action(let accepted) = input {
        taken.append(accepted.reply)
        if try isRepeated(accepted.delivery, &seen, transaction) {
          repeated.append(accepted)
          continue
        }
      }
      if let accepted = plainAction(input) {
        workspace.add(try decide(accepted))
      } else {
        let script = script(for: input)
        let step = try decide(script)
        if !step.isNothing { workspace.add(step, script) }
      }
    }
    return repeated
  }

  private func takeSpareBatch() -> Batch<R> {
    core.withLock { $0.spare.popLast() } as? Batch<R> ?? Batch()
  }

  private func next() -> Input? {
    let effectsGoOn = workspace.effectsGoOn
    return core.withLock {
      $0.nextInput(sequential: options.isSequential, effectsGoOn: effectsGoOn)
    }
  }
}
