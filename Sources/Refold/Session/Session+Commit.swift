import Dispatch
import EventStoreCore
import Synchronization

// The writer: one batch at a time becomes durable, and only then does anyone hear of it.
extension Session {
  func wakeWriter() { writer.async { self.write() } }

  /// Commits what is waiting, until nothing is.
  private func write() {
    while let batch = nextBatch() {
      do {
        try commit(batch)
      } catch {
        return stop(error, batch)
      }
    }
  }

  private func nextBatch() -> Batch<R>? {
    let (batch, ready) = core.withLock { core -> (Batch<R>?, [@Sendable () -> Void]) in
      if core.sealed.isEmpty, let loop = core.loop { core.seal(loop) }
      if let batch = core.sealed.popFirst() { return (batch, []) }
      core.isWriting = false
      return (nil, core.readyWaiters())
    }
    for resume in ready { resume() }
    return batch
  }

  private func commit(_ batch: Batch<R>) throws {
    var conflict: (loop: Loop<R>, later: [Step<R>])?
    defer { if let conflict { settleAgain(conflict.later, conflict.loop) } }
    let written = try store.transaction { transaction in
      let tail = try transaction.tail(of: info.id)
      let repeated = try repeatedDeliveries(in: batch, transaction)
      if tail.version == batch.base, repeated.isEmpty {
        return try append(batch, transaction, backlog: batch.backlog)
      }
      let loop = takeLoop()
      let later = takeLaterSteps()
      conflict = (loop, later)
      for step in batch.steps + later { step.discard() }
      let again = try decideAgain(batch, without: repeated, loop, transaction)
      var written = try append(again, transaction, backlog: batch.backlog)
      written.foldedOthers = tail.version != batch.base
      for index in repeated {
        written.answers.append(try answer(to: batch.steps[index], transaction))
      }
      return written
    }
    finish(written)
  }

  /// What a commit wrote, and what remains to be said about it.
  private struct Written {
    let batch: Batch<R>
    let after: Working<R.State>
    var commits: [(Commit, EventBatch)] = []
    /// Replies to deliveries that were there before.
    var answers: [() -> Void] = []
    /// What no longer lies between the loop and the store.
    let backlog: SessionCore<R>.Backlog
    /// Whether another process's events were folded in.
    var foldedOthers = false

    var changesState: Bool {
      foldedOthers
        || commits.contains { _, events in events.headers.contains { $0.kind == .mutation } }
    }
  }

  private func append(
    _ batch: Batch<R>, _ transaction: any EventStoreTransaction,
    backlog: SessionCore<R>.Backlog
  ) throws -> Written {
    guard let after = batch.after else {
      preconditionFailure("a batch is closed before its commit")
    }
    var written = Written(batch: batch, after: after, backlog: backlog)
    var version = batch.base
    for portion in batch.portions where !portion.isEmpty {
      let commit = try transaction.append(
        portion, to: info.id, expecting: version, schemaVersion: R.schemaVersion)
      written.commits.append((commit, portion))
      version = commit.lastSeq
    }
    return written
  }

  /// Everything that waits for the commit, in the order in which it may know of it.
  private func finish(_ written: Written) {
    let steps = written.batch.steps
    core.withLock { core in
      core.published = written.after
      core.undurable -= written.backlog
      for run in steps.lazy.flatMap(\.goingOn) { core.running[ObjectIdentifier(run)] = run }
      for (run, _) in steps.lazy.flatMap(\.ended) { core.running[ObjectIdentifier(run)] = nil }
    }
    publish(written)
    for (commit, events) in written.commits { options.onCommit?(commit, events) }
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
    let ready = core.withLock { $0.readyWaiters() }
    for resume in ready { resume() }
  }

  private func publish(_ written: Written) {
    var states = written.batch.steps.flatMap(\.states)
    if states.isEmpty {
      guard written.changesState else { return }
      states = [(written.after.state, .zero)]
    }
    if core.withLock({ $0.transformsStates }) {
      take(.publish(states))
    } else {
      for (state, cause) in states { publish(state, cause: cause) }
    }
  }

  /// A commit failed, or the log is full: nothing of `batch` and of what is behind it happened, and
  /// the session takes nothing more.
  func stop(_ error: any Error, _ batch: Batch<R>? = nil) {
    let (undone, unasked, running, ready) = core.withLock { core in
      core.failure = error
      core.isWriting = false
      var undone = [batch].compactMap { $0 } + core.sealed.removeAll()
      if let open = core.open.take() { undone.append(open) }
      let unasked = core.inbox.removeAll() + core.keptBack.removeAll().map { .action($0) }
      defer { core.running = [:] }
      return (undone, unasked, Array(core.running.values), core.readyWaiters())
    }
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
    var seen: Set<String> = []
    return try batch.steps.indices.filter { index in
      guard let id = batch.steps[index].accepted?.delivery?.id else { return false }
      return try !seen.insert(id).inserted || transaction.delivery(id, in: info.id) != nil
    }
  }

  private func answer(
    to step: Step<R>, _ transaction: any EventStoreTransaction
  ) throws -> () -> Void {
    guard let accepted = step.accepted, let delivery = accepted.delivery,
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

  /// Takes the loop from whoever works with it, after its current step.
  private func takeLoop() -> Loop<R> {
    let arrival = DispatchSemaphore(value: 0)
    let arrived = Mutex<Loop<R>?>(nil)
    let idle = core.withLock { core -> Loop<R>? in
      if let loop = core.loop.take() { return loop }
      core.handOver = { loop in
        arrived.withLock { $0 = loop }
        arrival.signal()
      }
      return nil
    }
    if let idle { return idle }
    arrival.wait()
    guard let loop = arrived.withLock({ $0.take() }) else {
      preconditionFailure("the hand-over stores the loop before it signals")
    }
    return loop
  }

  private func decideAgain(
    _ batch: Batch<R>, without repeated: [Int], _ loop: Loop<R>,
    _ transaction: any EventStoreTransaction
  ) throws -> Batch<R> {
    var working = core.withLock { $0.published }
    var fold = Fold(
      reactor, session: info.name.rawValue, state: working.state, seq: working.version,
      recordedAt: working.recordedAt)
    try fold.advance(of: info.id, in: transaction)
    working.state = fold.state
    working.version = fold.seq
    working.recordedAt = max(fold.recordedAt ?? working.recordedAt, working.recordedAt)
    loop.working = working
    var again = Batch<R>(base: working.version)
    let dropped = Set(repeated)
    for (index, step) in batch.steps.enumerated() where !dropped.contains(index) {
      let decided = try decideAgain(step, loop)
      again.add(decided, loop.scratch)
    }
    again.after = loop.working
    return again
  }

  private func decideAgain(_ step: Step<R>, _ loop: Loop<R>) throws -> Step<R> {
    let again = try decide(step.script, loop)
    if loop.actions != nil, let old = step.action, let new = again.action, old != new {
      loop.note(moves: [old: new])
    }
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

  /// Decides `steps` again, which lay behind a batch that had to be, then goes on as the loop.
  private func settleAgain(_ steps: [Step<R>], _ loop: Loop<R>) {
    for step in steps { settle(step.script, loop) }
    drain(loop)
  }
}
