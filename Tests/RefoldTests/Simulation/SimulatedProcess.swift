import EventStoreCore
import EventStoreTesting
import RefoldTesting

@testable import Refold

/// One process of a simulation: a session, and the threads and the store that it would have.
///
/// Of a process that has died, the store answers no call: whatever it still does, nobody learns of.
final class SimulatedProcess: @unchecked Sendable {
  // Touched by the thread of its simulation alone, which runs every piece of work itself.

  typealias Reactor = SimulatedReactor

  /// What becomes of the next transaction.
  enum Fault: CaseIterable {
    case failsBefore
    case failsAfter
    case diesBefore
    case diesAfter
  }

  let number: Int
  let executor = SimulatedExecutor()
  let relay = BehaviorRelay(0)
  var session: Session<Reactor>?
  weak var released: Session<Reactor>?
  var observation: Observation?
  var fault: Fault?
  var isDead = false
  /// Whether a transaction has failed.
  var hasStopped = false
  /// Whether the transaction that failed may have happened all the same.
  var mayHaveWritten = false
  var isClosing = false
  var isClosed = false
  /// How many of its steps are being decided, one inside the other.
  var decisions = 0
  /// Whether it may hold the store's lock.
  var isInTransaction = false

  init(_ number: Int) { self.number = number }

  /// Whether actions can be sent to it.
  var isOpen: Bool { session != nil && !isClosing && !isDead }

  /// The store as this process sees it.
  ///
  /// - Parameter meanwhile: called in front of each transaction.
  func store(
    _ disk: InMemoryEventStore, meanwhile: @escaping @Sendable () -> Void
  ) -> FaultyEventStore {
    FaultyEventStore(disk) { [unowned self] call in
      if isDead { return .before(.closed) }
      guard call.operation == .transaction else { return nil }
      meanwhile()
      return begin()
    }
  }

  private func begin() -> FaultyEventStore.Fault? {
    let full = EventStoreError.diskFull(path: "a simulated disk")
    defer { fault = nil }
    switch fault {
    case nil: break
    case .failsBefore:
      hasStopped = true
      return .before(full)
    case .failsAfter:
      (hasStopped, mayHaveWritten, isInTransaction) = (true, true, true)
      return .after(full)
    case .diesBefore:
      isDead = true
      return .before(.closed)
    case .diesAfter:
      (isDead, isInTransaction) = (true, true)
      return .after(.closed)
    }
    isInTransaction = true
    return nil
  }

  /// Does one piece of its work.
  func run(_ work: @Sendable () -> Void) {
    let before = isInTransaction
    defer { isInTransaction = before }
    work()
  }

  /// Asks the session to close.
  func close() {
    guard let session, !isClosing else { return }
    isClosing = true
    Task.detached(executorPreference: executor) {
      try? await session.close()
      self.isClosed = true
    }
  }
}
