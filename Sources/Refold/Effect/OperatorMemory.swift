import Synchronization

/// What an operator remembers from one signal to the next.
///
/// Signals come one at a time, so the lock is held only to take the value out and to put it back:
/// a user's closure may work on it meanwhile, and does so without a copy.
final class OperatorMemory<Value: Sendable>: Sendable {
  private let value: Mutex<Value?>

  init(_ value: Value) { self.value = Mutex(value) }

  func lend<Answer>(_ body: (inout Value) throws -> Answer) rethrows -> Answer {
    guard var value = value.withLock({ $0.take() }) else {
      preconditionFailure("two signals of one effect at once: the loop gives one after the other")
    }
    defer { self.value.withLock { $0 = value } }
    return try body(&value)
  }
}
