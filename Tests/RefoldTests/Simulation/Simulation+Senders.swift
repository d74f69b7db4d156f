import EventStoreCore
import EventStoreTesting

@testable import Refold

// Those who send actions, and what they are told.
extension Simulation {
  func submit(to process: SimulatedProcess) {
    let again = settings.usesDeliveries && random.chance(0.4) ? deliveredBefore() : nil
    let action = again?.action ?? nextAction()
    let isDelivery = settings.usesDeliveries && random.chance(0.5)
    let delivery = again?.delivery ?? (isDelivery ? "delivery \(action.id)" : nil)
    noting {
      if again == nil, random.chance(0.2) {
        sendFromTask(action, to: process)
      } else {
        try submit(action, delivery: delivery, to: process)
      }
    }
  }

  /// One that was sent under an id, whatever became of it.
  private func deliveredBefore() -> Submissions.Submission? {
    submissions.all.filter { $0.delivery != nil }.randomElement(using: &random)
  }

  private func submit(
    _ action: Reactor.Action, delivery id: String?, to process: SimulatedProcess
  ) throws {
    guard let session = process.session else { return }
    let payload = try EventCodec().encode(action)
    let delivery = try id.map { try Delivery(id: $0, action: payload) }
    let number = submissions.begin(action, to: process.number, delivery: id)
    counts.actions += 1
    session.submit(action, payload: payload, delivery: delivery) {
      [unowned self, unowned process] result in
      told(result, number, process)
      meanwhile(.reply, process)
    }
  }

  /// As an app sends, from a task.
  private func sendFromTask(_ action: Reactor.Action, to process: SimulatedProcess) {
    guard let session = process.session else { return }
    Task.detached(executorPreference: process.executor) { [self] in
      if process.isDead { return }
      let number = submissions.begin(action, to: process.number)
      counts.actions += 1
      do {
        let receipt = try await session.send(action)
        told(.success(receipt), number, process)
        let outcome = await receipt.finished
        if !process.isDead, !process.hasStopped {
          noting { try checkFinished(outcome, receipt.seq) }
        }
      } catch {
        told(.failure(error), number, process)
      }
    }
  }

  private func told(
    _ result: Result<Receipt, any Error>, _ number: Int, _ process: SimulatedProcess
  ) {
    // A process that has died tells nobody anything.
    if process.isDead { return }
    noting {
      switch result {
      case .success(let receipt):
        counts.acknowledged += 1
        if receipt.isRepeated { counts.repeated += 1 }
        try readLog()
        let seq = log.seq(of: submissions.all[number].action.id)
        try require(
          seq == receipt.seq && receipt.version <= log.version,
          "action \(submissions.all[number].action.id) was acknowledged at \(receipt.seq) "
            + "before it was durable")
        try submissions.end(
          number, .acknowledged(receipt.seq, isRepeated: receipt.isRepeated))
      case .failure(let error):
        let isSure = !process.mayHaveWritten || Self.isClosed(error)
        try require(
          process.isClosing || process.hasStopped, "an action was refused: \(error)")
        try submissions.end(number, isSure ? .refused : .unknown)
      }
    }
  }

  private static func isClosed(_ error: any Error) -> Bool {
    if case .closed? = error as? SessionError { true } else { false }
  }

  private func checkFinished(_ outcome: EffectOutcome, _ seq: Seq) throws {
    try readLog()
    guard let action = log.actions[seq] else { return }
    try require(
      !action.isOpen, "the effect of \(seq) is said to have ended, and is open in the log")
    let isSame =
      switch (outcome, action.end) {
      case (.completed, .completed?), (.completed, nil), (.cancelled, .cancelled?),
        (.failed, .failed?):
        true
      default: false
      }
    try require(
      isSame, "the effect of \(seq) is said to have \(outcome), and has \(action.end as Any)")
  }
}
