import Dispatch
import Foundation
import Synchronization

/// A lock that hands itself to whoever waited longest, and waits no longer than it is told.
///
/// A plain mutex lets a thread that unlocks and locks at once starve all others.
package final class TurnLock: Sendable {
  private struct State {
    var holder: UInt64?
    var waiting: [Waiter] = []
  }

  private final class Waiter: Sendable {
    let turn = DispatchSemaphore(value: 0)
    let thread = TurnLock.currentThread()
  }

  private let state = Mutex(State())

  /// A free lock.
  package init() {}

  /// Waits for the lock, at most `seconds`; nil waits for ever.
  ///
  /// - Returns: whether it is held now.
  /// - Precondition: this thread does not hold it: it would wait for itself.
  package func acquire(seconds: Double?) -> Bool {
    guard let waiter = acquireOrQueue() else { return true }
    guard let seconds else {
      waiter.turn.wait()
      return true
    }
    if waiter.turn.wait(timeout: .now() + seconds) == .success { return true }
    // The lock may have been handed over since the wait ran out: only who is still in the queue
    // did not get it.
    return state.withLock { state in
      guard let index = state.waiting.firstIndex(where: { $0 === waiter }) else { return true }
      state.waiting.remove(at: index)
      return false
    }
  }

  /// Hands the lock to whoever waited longest.
  package func release() {
    let next = state.withLock { state -> Waiter? in
      guard !state.waiting.isEmpty else {
        state.holder = nil
        return nil
      }
      let next = state.waiting.removeFirst()
      state.holder = next.thread
      return next
    }
    next?.turn.signal()
  }

  /// Holds the lock during `body`.
  /// - Throws: `failure` when it was not to be had within `seconds`; what `body` throws.
  package func withLock<T>(
    seconds: Double?, orThrow failure: @autoclosure () -> EventStoreError, _ body: () throws -> T
  ) throws -> T {
    guard acquire(seconds: seconds) else { throw failure() }
    defer { release() }
    return try body()
  }

  private func acquireOrQueue() -> Waiter? {
    let thread = Self.currentThread()
    return state.withLock { state in
      guard let holder = state.holder else {
        state.holder = thread
        return nil
      }
      precondition(holder != thread, "a transaction was begun inside a transaction")
      let waiter = Waiter()
      state.waiting.append(waiter)
      return waiter
    }
  }

  private static func currentThread() -> UInt64 { UInt64(pthread_self()) }
}
