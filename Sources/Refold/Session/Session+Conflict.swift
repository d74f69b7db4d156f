import Dispatch
import EventStoreCore

// Another process has appended, or an action was delivered before: the batch is decided again, on
// the state that the log has now. The writer lock is held, so this happens once.
extension Session {
  /// What waits while a batch is decided again.
  struct Conflict {
    /// What was decided behind the batch.
    let later: [Batch<R>]
  }

  /// The indexes of steps whose action was delivered before, in the log or earlier in `batch`.
  func repeatedDeliveries(
    in batch: Batch<R>, _ transaction: any EventStoreTransaction
  ) throws -> [Int] {
    guard batch.hasDetails else { return [] }
    var seen: Set<[UInt8]> = []
    return try batch.steps.indices.filter { index in
      try isRepeated(batch.steps[index].details?.delivery, &seen, transaction)
    }
  }

  /// Whether something was delivered before as `delivery`, in the log or among the ids `seen`, which
  /// its own is added to. Ids are compared by their bytes: two normalizations are two ids.
  func isRepeated(
    _ delivery: Delivery?, _ seen: inout Set<[UInt8]>, _ transaction: any EventStoreTransaction
  ) throws -> Bool {
    guard let id = delivery?.id else { return false }
    return try !seen.insert(Array(id.utf8)).inserted || transaction.delivery(id, in: info.id) != nil
  }

  func answer(
    to step: Step, _ transaction: any EventStoreTransaction
  ) throws -> () -> Void {
    try answer(to: step.details?.delivery, step.reply, transaction)
  }

  func answer(
    to delivery: Delivery?, _ reply: Reply, _ transaction: any EventStoreTransaction
  ) throws -> () -> Void {
    guard let delivery, let recorded = try transaction.delivery(delivery.id, in: info.id) else {
      return {}
    }
    let version = try transaction.tail(of: info.id).version
    return { [self] in tell(reply, Self.reply(to: delivery, recorded, version: version)) }
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

  /// Becomes the loop, after the current step of whoever is.
  func takeLoop() {
    let arrival = DispatchSemaphore(value: 0)
    let isLoop = core.withLock { core in
      if core.takeLoop() { return true }
      core.handOver = { arrival.signal() }
      return false
    }
    if !isLoop { arrival.wait() }
  }

  /// Goes back to what is durable, and folds in what others have appended since.
  func foldOthers(_ transaction: any EventStoreTransaction) throws {
    var progress = core.withLock { $0.published }
    var fold = Fold(
      reactor, session: info.name.rawValue, state: durable.value.state, seq: progress.version,
      recordedAt: progress.recordedAt)
    var openElsewhere = progress.openElsewhere
    var taken: Set<Seq> = []
    try fold.advance(of: info.id, in: transaction) { header in
      if header.kind == .pending { openElsewhere[header.cause] = header.seq }
      if header.kind.endsEffect { openElsewhere[header.cause] = nil }
      if progress.open[header.cause] != nil, header.kind != .mutation { taken.insert(header.cause) }
    }
    progress.openElsewhere = openElsewhere
    // Somebody took this session for dead, and ended or took over what it runs.
    for cause in taken { progress.open[cause] = nil }
    let lost = core.withLock { core in core.running.all.filter { taken.contains($0.cause) } }
    for run in lost { run.end(.cancelled) }
    progress.version = fold.seq
    progress.recordedAt = max(fold.recordedAt ?? progress.recordedAt, progress.recordedAt)
    durable.replace(by: fold.state, at: fold.seq)
    workspace.state = fold.state
    workspace.log.progress = progress
  }

  /// Decides the steps of `batch` once more, those left out that were delivered before.
  func decideAgain(
    _ batch: Batch<R>, without repeated: [Int], _ transaction: any EventStoreTransaction
  ) throws -> Batch<R> {
    try foldOthers(transaction)
    workspace.batch.base = workspace.log.progress.version
    let dropped = Set(repeated)
    do {
      for (index, script) in batch.scriptsOfSteps().enumerated() {
        if dropped.contains(index) {
          if case .accept(_, let tag?) = script.first { workspace.held.drop(tag) }
        } else {
          workspace.add(try decide(script), script)
        }
      }
    } catch {
      for step in workspace.close(next: Batch()).steps { step.discard() }
      throw error
    }
    return workspace.close(next: Batch())
  }

  /// What was decided behind the batch that is being written. The caller is the loop.
  func takeLaterBatches() -> [Batch<R>] {
    core.withLock { core in
      seal(&core)
      let batches = core.sealed.removeAll().map(typed)
      for batch in batches { core.undurable -= batch.backlog }
      return batches
    }
  }

  /// Decides again what lay behind a batch that had to be, then goes on as the loop.
  func settleAgain(_ conflict: Conflict) {
    for batch in conflict.later {
      for script in batch.scriptsOfSteps() { settle(script) }
    }
    drain()
  }
}
