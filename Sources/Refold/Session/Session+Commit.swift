import EventStoreCore

// The writer: one batch at a time becomes durable, and only then does anyone hear of it.
extension Session {
  func wakeWriter() { writer { self.write() } }

  /// Commits what is waiting, until nothing is.
  private func write() {
    if core.withLock({ $0.decidesUnderLock }) { return writeInLockstep() }
    while let batch = nextBatch() {
      do {
        try commit(batch)
      } catch {
        core.withLock { $0.isWriting = false }
        return stop(error, batch)
      }
    }
  }

  private func nextBatch() -> Batch<R>? {
    let (batch, ready) = core.withLock { core -> ((any SealedBatch)?, [@Sendable () -> Void]) in
      if core.sealed.isEmpty, core.isIdle { seal(&core) }
      if let batch = core.sealed.popFirst() { return (batch, []) }
      core.isWriting = false
      return (nil, core.readyWaiters())
    }
    for resume in ready { resume() }
    return batch.map(typed)
  }

  func typed(_ batch: any SealedBatch) -> Batch<R> {
    guard let batch = batch as? Batch<R> else {
      preconditionFailure("a session seals batches of its own reactor alone")
    }
    return batch
  }

  /// Makes `batch` durable, or, where another process has appended or an action was delivered
  /// before, what it comes to when it is decided again on the state that the log has now.
  private func commit(_ batch: Batch<R>) throws {
    var conflict: Conflict?
    // Last of all, after `finish` and also when the commit failed: whoever waits for the workspace
    // gets it back, and what lay behind the batch is decided on what was published by then.
    defer { if let conflict { settleAgain(conflict) } }
    let written = try transaction { transaction, decided in
      let tail = try transaction.tail(of: info.id)
      let repeated = try repeatedDeliveries(in: batch, transaction)
      if tail.version == batch.base, repeated.isEmpty {
        return try append(batch, transaction, backlog: batch.backlog)
      }
      takeLoop()
      let taken = Conflict(later: takeLaterBatches())
      conflict = taken
      for step in batch.steps + taken.later.flatMap(\.steps) { step.discard() }
      let again = try decideAgain(batch, without: repeated, transaction)
      decided = again
      var written = try append(again, transaction, backlog: batch.backlog)
      written.foldedOthers = tail.version != batch.base
      written.answers = try repeated.map { try answer(to: batch.steps[$0], transaction) }
      return written
    }
    finish(written)
  }

  /// A transaction of the store. What `body` has decided in it, and says so, is discarded where it
  /// does not become durable, be it that `body` throws or that the store does behind it.
  func transaction(
    _ body: (_ transaction: any EventStoreTransaction, _ decided: inout Batch<R>?) throws -> Written
  ) throws -> Written {
    var decided: Batch<R>?
    do {
      return try store.transaction { try body($0, &decided) }
    } catch {
      for step in decided?.steps ?? [] { step.discard() }
      throw error
    }
  }

  /// What a commit wrote, and what remains to be said about it.
  struct Written {
    let batch: Batch<R>
    let after: Progress
    /// The commits, each with what it holds of the batch; nil where that is all of it.
    var commits: [(commit: Commit, portion: Batch<R>.Portion?)] = []
    /// Replies to deliveries that were there before.
    var answers: [() -> Void] = []
    /// What no longer lies between the loop and the store.
    let backlog: SessionCore.Backlog
    /// Whether the writer is the loop.
    var isLockstep = false
    /// Whether another process's events were folded in.
    var foldedOthers = false

    var changesState: Bool { foldedOthers || !batch.mutations.isEmpty }
  }

  func append(
    _ batch: Batch<R>, _ transaction: any EventStoreTransaction, backlog: SessionCore.Backlog
  ) throws -> Written {
    guard let after = batch.after else {
      preconditionFailure("a batch is closed before its commit")
    }
    var written = Written(batch: batch, after: after, backlog: backlog)
    var version = batch.base
    for portion in batch.portions {
      let events = portion?.events ?? batch.events
      if events.isEmpty { continue }
      let commit = try transaction.append(
        events, to: info.id, expecting: version, schemaVersion: R.schemaVersion)
      written.commits.append((commit, portion))
      version = commit.lastSeq
    }
    // Last: a snapshot that cannot be saved takes nothing back.
    if !written.commits.isEmpty { snapshots.save(in: transaction) }
    return written
  }

  /// Everything that waits for the commit, in the order in which it may know of it.
  func finish(_ written: Written) {
    let batch = written.batch
    core.withLock { core in
      core.published = written.after
      core.undurable -= written.backlog
      guard batch.hasDetails else { return }
      for case let details? in batch.steps.lazy.map(\.details) {
        for run in details.goingOn { core.running.insert(run) }
      }
      for case let details? in batch.steps.lazy.map(\.details) {
        for (run, _) in details.ended { core.running.remove(run) }
      }
    }
    publish(written)
    tellOfCommits(written)
    if batch.hasDetails || batch.hasReplies { tellSenders(of: batch) }
    for answer in written.answers { answer() }
    options.afterReplies?()
    if let last = written.commits.last?.commit {
      snapshots.committed(
        last, bytes: batch.events.byteCount, foldedOthers: written.foldedOthers,
        state: durable.value.state)
    }
    let begins = batch.hasDetails && batch.steps.contains { $0.details?.goingOn.isEmpty == false }
    batch.removeAll()
    let (ready, begunWhileClosing) = core.withLock { core in
      if core.spare.count < 2 { core.spare.append(batch) }
      return (core.readyWaiters(), core.isClosing && begins)
    }
    if begunWhileClosing { take(.cancelEffects) }
    for resume in ready { resume() }
  }

  private func tellOfCommits(_ written: Written) {
    let batch = written.batch
    for (commit, portion) in written.commits {
      options.onCommit?(commit, portion?.events ?? batch.events)
      guard let onSteps = options.onSteps else { continue }
      let steps = batch.steps[portion?.steps ?? batch.steps.indices]
      onSteps(portion?.events ?? batch.events, steps.map(\.eventCount))
    }
  }

  private func tellSenders(of batch: Batch<R>) {
    var acknowledged: [Acknowledgement] = []
    for step in batch.steps {
      if let issues = step.details?.issues { for issue in issues { report(issue) } }
      switch step.reply {
      case .nobody: break
      case .number(let number):
        if options.onAcknowledged == nil { break }
        acknowledged.append(Acknowledgement(number: number, receipt: step.receipt))
      case .call(let call): call(.success(step.receipt))
      }
      guard let details = step.details else { continue }
      for run in details.begun { run.activate() }
      for (run, outcome) in details.ended { run.end(outcome) }
    }
    if !acknowledged.isEmpty { options.onAcknowledged?(acknowledged) }
  }

  /// Folds what is durable now, and gives it to observers.
  private func publish(_ written: Written) {
    let (mutations, version) = (written.batch.mutations, written.after.version)
    guard durable.isWatched, !mutations.isEmpty else {
      durable.fold(mutations, through: version)
      let isSeen = durable.isWatched || (written.isLockstep && workspace.states != nil)
      guard isSeen, written.changesState else { return }
      return show(durable.value.state, cause: .zero, written)
    }
    var index = 0
    for header in written.batch.events.headers where header.kind == .mutation {
      let state = durable.fold(index, of: mutations, seq: header.seq)
      index += 1
      show(state, cause: header.cause, written)
    }
    durable.fold([], through: version)
  }

  private func show(_ state: R.State, cause: Seq, _ written: Written) {
    if written.isLockstep {
      push(state, cause: cause)
    } else {
      publish(state, cause: cause)
    }
  }

  /// A commit failed, or the log is full: nothing of `batch` and of what is behind it happened, and
  /// the session takes nothing more.
  func stop(_ error: any Error, _ batch: Batch<R>? = nil) {
    let (sealed, unasked, running, closeTransforms, isLoop) = core.withLock { core in
      core.failure = error
      let unasked = core.inbox.removeAll() + core.keptBack.removeAll().map { .action($0) }
      defer { core.running.removeAll() }
      return (
        core.sealed.removeAll(), unasked, core.running.all, core.closeTransforms,
        core.takeLoop()
      )
    }
    closeTransforms()
    for undone in [batch].compactMap({ $0 }) + sealed.map(typed) { abandon(undone) }
    // Whoever else is the loop finds the failure, and does the same.
    if isLoop { abandonOpenBatch() }
    for case .action(let accepted) in unasked { tell(accepted.reply, .failure(stoppedError)) }
    for run in running { run.end(.cancelled) }
    durable.finish()
    let ready = core.withLock { core in
      if isLoop { core.leaveLoop(effectsGoOn: false) }
      return core.readyWaiters()
    }
    for resume in ready { resume() }
  }

  /// As `stop`, where the caller is the loop.
  func fail(_ error: any Error) {
    stop(error)
    abandonOpenBatch()
  }

  /// Nothing of the open batch happened. The caller is the loop.
  func abandonOpenBatch() {
    let open = workspace.close(next: Batch())
    core.withLock { core in
      core.openSteps = 0
      core.undurable -= open.backlog
    }
    abandon(open)
  }

  private func abandon(_ batch: Batch<R>) {
    for step in batch.steps {
      step.discard()
      tell(step.reply, .failure(stoppedError))
    }
  }

  /// What senders are told once a commit has failed.
  private var stoppedError: SessionError {
    let name = info.name.rawValue
    guard let reason = core.withLock({ $0.failure }) else { return .closed(session: name) }
    return .stopped(session: name, reason: reason)
  }
}
