import EventStoreCore

// A reactor that transforms mutations or states is decided in lockstep with the store: by the
// writer, under the store's lock. Operators in the transform of mutations remember what passed
// them, which cannot be taken back, so nothing may ever be decided again; states must have passed
// theirs before a sender is told. Batches form all the same, of what is waiting.
extension Session {
  /// Decides and commits what is waiting, until nothing is.
  func writeInLockstep() {
    while let workspace = workspaceForInput() {
      do {
        finish(try decideAndCommit(workspace))
      } catch {
        core.withLock { core in
          core.workspace = workspace
          core.isWriting = false
        }
        return stop(error)
      }
    }
  }

  /// The workspace, where something waits that may be taken up now.
  private func workspaceForInput() -> Workspace<R>? {
    let (workspace, ready) = core.withLock { core -> (Workspace<R>?, [@Sendable () -> Void]) in
      let goOn = core.workspace.map { !$0.working.open.isEmpty } ?? false
      if core.failure == nil, core.hasInput(sequential: options.isSequential, effectsGoOn: goOn) {
        return (core.workspace.take(), [])
      }
      core.isWriting = false
      return (nil, core.readyWaiters())
    }
    for resume in ready { resume() }
    return workspace
  }

  private func decideAndCommit(_ workspace: Workspace<R>) throws -> Written {
    var decided: [Step<R>] = []
    var taken: [AcceptedAction<R>] = []
    do {
      var written = try store.transaction { transaction in
        let isBehind =
          try transaction.tail(of: info.id).version != workspace.working.version
        if isBehind { try foldOthers(workspace, transaction) }
        var batch = Batch<R>(base: workspace.working.version)
        var repeated: [AcceptedAction<R>] = []
        var seen: Set<[UInt8]> = []
        while !batch.isFull(limit: max(1, options.actionsPerCommit)), let input = next(workspace) {
          if case .action(let accepted) = input {
            taken.append(accepted)
            if try isRepeated(accepted, &seen, transaction) {
              repeated.append(accepted)
              continue
            }
          }
          let step = try decide(script(for: input, workspace), workspace)
          decided.append(step)
          if !step.isNothing { batch.add(step, workspace.scratch) }
        }
        batch.after = workspace.working
        var written = try append(batch, transaction, backlog: SessionCore<R>.Backlog())
        written.foldedOthers = isBehind
        written.answers = try repeated.map { try answer(to: $0, transaction) }
        return written
      }
      written.workspace = workspace
      core.withLock { $0.workspace = workspace }
      return written
    } catch {
      for step in decided { step.discard() }
      let stopped = SessionError.stopped(session: info.name.rawValue, reason: error)
      for accepted in taken { accepted.reply(.failure(stopped)) }
      throw error
    }
  }

  private func next(_ workspace: Workspace<R>) -> Input<R>? {
    let effectsGoOn = !workspace.working.open.isEmpty
    return core.withLock {
      $0.nextInput(sequential: options.isSequential, effectsGoOn: effectsGoOn)
    }
  }
}
