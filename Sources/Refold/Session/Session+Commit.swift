import Dispatch
import EventStoreCore
import Synchronization

// The writer: one batch at a time becomes durable, and only then does anyone hear of it.
extension Session {
  func wakeWriter() { writer.async { self.write() } }

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
    let (batch, ready) = core.withLock { core -> (Batch<R>?, [@Sendable () -> Void]) in
      if core.sealed.isEmpty, let workspace = core.workspace { core.seal(workspace) }
      if let batch = core.sealed.popFirst() { return (batch, []) }
      core.isWriting = false
      return (nil, core.readyWaiters())
    }
    for resume in ready { resume() }
    return batch
  }

  /// Makes `batch` durable, or, where another process has appended or an action was delivered
  /// before, what it comes to when it is decided again on the state that the log has now.
  private func commit(_ batch: Batch<R>) throws {
    var conflict: Conflict?
    // Last of all, after `finish` and also when the commit failed: whoever waits for the workspace
    // gets it back, and what lay behind the batch is decided on what was published by then.
    defer { if let conflict { settleAgain(conflict) } }
    let written = try store.transaction { transaction in
      let tail = try transaction.tail(of: info.id)
      let repeated = try repeatedDeliveries(in: batch, transaction)
      if tail.version == batch.base, repeated.isEmpty {
        return try append(batch, transaction, backlog: batch.backlog)
      }
      let taken = Conflict(workspace: takeWorkspace(), later: takeLaterSteps())
      conflict = taken
      for step in batch.steps + taken.later { step.discard() }
      let again = try decideAgain(batch, without: repeated, taken.workspace, transaction)
      do {
        var written = try append(again, transaction, backlog: batch.backlog)
        written.foldedOthers = tail.version != batch.base
        written.answers = try repeated.map { try answer(to: batch.steps[$0].accepted, transaction) }
        return written
      } catch {
        for step in again.steps { step.discard() }
        throw error
      }
    }
    finish(written)
  }

  /// What the writer holds while a batch is decided again.
  private struct Conflict {
    let workspace: Workspace<R>
    /// The steps that were decided behind the batch.
    let later: [Step<R>]
  }

  /// What a commit wrote, and what remains to be said about it.
  struct Written {
    let batch: Batch<R>
    let after: Working<R.State>
    var commits: [(commit: Commit, portion: Batch<R>.Portion)] = []
    /// Replies to deliveries that were there before.
    var answers: [() -> Void] = []
    /// What no longer lies between the loop and the store.
    let backlog: SessionCore<R>.Backlog
    /// Set where the writer is the loop.
    var workspace: Workspace<R>?
    /// Whether another process's events were folded in.
    var foldedOthers = false

    var changesState: Bool {
      foldedOthers
        || commits.contains { $0.portion.events.headers.contains { $0.kind == .mutation } }
    }
  }

  func append(
    _ batch: Batch<R>, _ transaction: any EventStoreTransaction,
    backlog: SessionCore<R>.Backlog
  ) throws -> Written {
    guard let after = batch.after else {
      preconditionFailure("a batch is closed before its commit")
    }
    var written = Written(batch: batch, after: after, backlog: backlog)
    var version = batch.base
    for portion in batch.portions where !portion.events.isEmpty {
      let commit = try transaction.append(
        portion.events, to: info.id, expecting: version, schemaVersion: R.schemaVersion)
      written.commits.append((commit, portion))
      version = commit.lastSeq
    }
    // Last: a snapshot that cannot be saved takes nothing back.
    if !written.commits.isEmpty { snapshots.save(in: transaction) }
    return written
  }

  /// Everything that waits for the commit, in the order in which it may know of it.
  func finish(_ written: Written) {
    let steps = written.batch.steps
    core.withLock { core in
      core.published = written.after
      core.undurable -= written.backlog
      guard written.batch.hasEffects else { return }
      for step in steps {
        for run in step.goingOn { core.running[ObjectIdentifier(run)] = run }
      }
      for step in steps {
        for (run, _) in step.ended { core.running[ObjectIdentifier(run)] = nil }
      }
    }
    publish(written)
    for (commit, portion) in written.commits {
      options.onCommit?(commit, portion.events)
      options.onSteps?(portion.events, portion.steps)
    }
    for step in steps {
      for issue in step.issues { report(issue) }
      if let accepted = step.accepted, let seq = step.action {
        accepted.reply(.success(Receipt(seq: seq, version: step.lastSeq, runs: step.begun)))
      }
      for run in step.begun { run.activate() }
      for (run, outcome) in step.ended { run.end(outcome) }
    }
    for answer in written.answers { answer() }
    options.afterReplies?()
    if let last = written.commits.last?.commit {
      snapshots.committed(
        last, bytes: written.commits.reduce(0) { $0 + $1.portion.events.byteCount },
        foldedOthers: written.foldedOthers, state: written.after.state)
    }
    let (ready, begunWhileClosing) = core.withLock { core in
      (core.readyWaiters(), core.isClosing && steps.contains { !$0.goingOn.isEmpty })
    }
    if begunWhileClosing { take(.cancelEffects) }
    for resume in ready { resume() }
  }

  private func publish(_ written: Written) {
    var states = written.batch.hasStates ? written.batch.steps.flatMap { $0.states } : []
    if states.isEmpty {
      guard written.changesState else { return }
      states = [(written.after.state, .zero)]
    }
    if let workspace = written.workspace {
      for (state, cause) in states { push(state, cause: cause, workspace) }
    } else {
      for (state, cause) in states { publish(state, cause: cause) }
    }
  }

  /// A commit failed, or the log is full: nothing of `batch` and of what is behind it happened, and
  /// the session takes nothing more.
  func stop(_ error: any Error, _ batch: Batch<R>? = nil) {
    let (undone, unasked, running, ready, closeTransforms) = core.withLock { core in
      core.failure = error
      var undone = [batch].compactMap { $0 } + core.sealed.removeAll()
      if let open = core.open.take() { undone.append(open) }
      let unasked = core.inbox.removeAll() + core.keptBack.removeAll().map { .action($0) }
      defer { core.running = [:] }
      return (
        undone, unasked, Array(core.running.values), core.readyWaiters(), core.closeTransforms
      )
    }
    closeTransforms()
    let stopped = SessionError.stopped(session: info.name.rawValue, reason: error)
    for step in undone.flatMap(\.steps) {
      step.discard()
      step.accepted?.reply(.failure(stopped))
    }
    for case .action(let accepted) in unasked { accepted.reply(.failure(stopped)) }
    for run in running { run.end(.cancelled) }
    observers.finish()
    for resume in ready { resume() }
  }
}

// Another process has appended, or an action was delivered before: the batch is decided again, on
// the state that the log has now. The writer lock is held, so this happens once.
extension Session {
  /// The indexes of steps whose action was delivered before, in the log or earlier in `batch`.
  private func repeatedDeliveries(
    in batch: Batch<R>, _ transaction: any EventStoreTransaction
  ) throws -> [Int] {
    var seen: Set<[UInt8]> = []
    return try batch.steps.indices.filter { index in
      guard let accepted = batch.steps[index].accepted else { return false }
      return try isRepeated(accepted, &seen, transaction)
    }
  }

  /// Whether `accepted` was delivered before, in the log or among the ids `seen`, which its own is
  /// added to. Ids are compared by their bytes: two normalizations are two ids.
  func isRepeated(
    _ accepted: AcceptedAction<R>, _ seen: inout Set<[UInt8]>,
    _ transaction: any EventStoreTransaction
  ) throws -> Bool {
    guard let id = accepted.delivery?.id else { return false }
    return try !seen.insert(Array(id.utf8)).inserted || transaction.delivery(id, in: info.id) != nil
  }

  func answer(
    to accepted: AcceptedAction<R>?, _ transaction: any EventStoreTransaction
  ) throws -> () -> Void {
    guard let accepted, let delivery = accepted.delivery,
      let recorded = try transaction.delivery(delivery.id, in: info.id)
    else { return {} }
    let version = try transaction.tail(of: info.id).version
    return { accepted.reply(Self.reply(to: delivery, recorded, version: version)) }
  }

  /// What the sender of a delivery that is in the log already is told.
  static func reply(
    to delivery: Delivery, _ recorded: RecordedDelivery, version: Version
  ) -> Result<Receipt, any Error> {
    guard recorded.delivery.bodyDigest == delivery.bodyDigest else {
      return .failure(SessionError.otherActionUnderSameID(id: delivery.id, seq: recorded.seq))
    }
    return .success(Receipt(seq: recorded.seq, version: version, isRepeated: true))
  }

  /// Takes the workspace from whoever is the loop, after its current step.
  private func takeWorkspace() -> Workspace<R> {
    let arrival = DispatchSemaphore(value: 0)
    let arrived = Mutex<Workspace<R>?>(nil)
    let idle = core.withLock { core -> Workspace<R>? in
      if let workspace = core.workspace.take() { return workspace }
      core.handOver = { workspace in
        arrived.withLock { $0 = workspace }
        arrival.signal()
      }
      return nil
    }
    if let idle { return idle }
    arrival.wait()
    guard let workspace = arrived.withLock({ $0.take() }) else {
      preconditionFailure("the hand-over stores the workspace before it signals")
    }
    return workspace
  }

  /// Goes back to what is durable, and folds in what others have appended since.
  func foldOthers(
    _ workspace: Workspace<R>, _ transaction: any EventStoreTransaction
  ) throws {
    var working = core.withLock { $0.published }
    var fold = Fold(
      reactor, session: info.name.rawValue, state: working.state, seq: working.version,
      recordedAt: working.recordedAt)
    var openElsewhere = working.openElsewhere
    var taken: Set<Seq> = []
    try fold.advance(of: info.id, in: transaction) { header in
      if header.kind == .pending { openElsewhere[header.cause] = header.seq }
      if header.kind.endsEffect { openElsewhere[header.cause] = nil }
      if working.open[header.cause] != nil, header.kind != .mutation { taken.insert(header.cause) }
    }
    working.openElsewhere = openElsewhere
    // Somebody took this session for dead, and ended or took over what it runs.
    for cause in taken { working.open[cause] = nil }
    let lost = core.withLock { core in core.running.values.filter { taken.contains($0.cause) } }
    for run in lost { run.end(.cancelled) }
    working.state = fold.state
    working.version = fold.seq
    working.recordedAt = max(fold.recordedAt ?? working.recordedAt, working.recordedAt)
    workspace.working = working
  }

  private func decideAgain(
    _ batch: Batch<R>, without repeated: [Int], _ workspace: Workspace<R>,
    _ transaction: any EventStoreTransaction
  ) throws -> Batch<R> {
    try foldOthers(workspace, transaction)
    var again = Batch<R>(base: workspace.working.version)
    var moves: [Seq: Seq] = [:]
    let dropped = Set(repeated)
    for (index, step) in batch.steps.enumerated() where !dropped.contains(index) {
      let decided = try decide(step.script, workspace)
      again.add(decided, workspace.scratch)
      if let old = step.action, let new = decided.action, old != new { moves[old] = new }
    }
    if workspace.actions != nil { workspace.note(moves: moves) }
    again.after = workspace.working
    return again
  }

  /// The steps decided behind the batch that is being written.
  private func takeLaterSteps() -> [Step<R>] {
    core.withLock { core in
      var batches = core.sealed.removeAll()
      if let open = core.open.take() { batches.append(open) }
      for batch in batches { core.undurable -= batch.backlog }
      return batches.flatMap(\.steps)
    }
  }

  /// Decides again what lay behind a batch that had to be, then goes on as the loop.
  private func settleAgain(_ conflict: Conflict) {
    let workspace = conflict.workspace
    var moves: [Seq: Seq] = [:]
    for step in conflict.later {
      let again = settle(step.script, workspace)
      if let old = step.action, let new = again?.action, old != new { moves[old] = new }
    }
    if workspace.actions != nil { workspace.note(moves: moves) }
    drain(workspace)
  }
}
