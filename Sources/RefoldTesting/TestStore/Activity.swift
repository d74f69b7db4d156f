import Refold
import Synchronization

/// What happens in a session under test, for those who wait for it; and what went wrong there.
final class Activity: Sendable {
  private let state = Mutex(State())

  private struct State {
    var count = 0
    var waiters: [Int: CheckedContinuation<Void, Never>] = [:]
    var nextWaiter = 0
    var issues: [SessionIssue] = []
  }

  /// How often something happened so far.
  var count: Int { state.withLock { $0.count } }

  /// Something happened.
  func note() {
    let waiters = state.withLock { state in
      state.count += 1
      defer { state.waiters = [:] }
      return Array(state.waiters.values)
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Something went wrong without stopping the session.
  func note(_ issue: SessionIssue) {
    // A failed effect is in the log, where the test asserts it.
    if case .effectFailed = issue { return }
    state.withLock { $0.issues.append(issue) }
  }

  /// What went wrong since the last call.
  func takeIssues() -> [SessionIssue] {
    state.withLock { state in
      defer { state.issues = [] }
      return state.issues
    }
  }

  /// Returns once something has happened beyond the first `count` times, or `patience` is over.
  func next(after count: Int, or patience: Patience) async {
    await withCheckedContinuation { continuation in
      let waiter: Int? = state.withLock { state in
        if state.count > count { return nil }
        state.nextWaiter += 1
        state.waiters[state.nextWaiter] = continuation
        return state.nextWaiter
      }
      guard let waiter else { return continuation.resume() }
      patience.whenOver { [self] in
        state.withLock { $0.waiters.removeValue(forKey: waiter) }?.resume()
      }
    }
  }
}
