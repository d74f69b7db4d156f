import Synchronization

@testable import Refold

/// A loop without a session: what is enqueued runs one after the other, on whichever thread finds
/// it idle.
final class TestLoop: EffectLoop {
  let cancellations = CancellationRegistry()
  let tasks = TaskCounter()
  private let state = Mutex(State())

  private struct State {
    var waiting: [(scope: EffectScope?, body: @Sendable () -> Void)] = []
    var isRunning = false
    var issues: [String] = []
  }

  var issues: [String] { state.withLock { $0.issues } }

  func enqueue(in scope: EffectScope, _ body: @escaping @Sendable () -> Void) { take(scope, body) }

  /// Runs `body` as something of the loop's own.
  func perform(_ body: @escaping @Sendable () -> Void) { take(nil, body) }

  func room() async {}

  func report(_ issue: SessionIssue) { state.withLock { $0.issues.append("\(issue)") } }

  private func take(_ scope: EffectScope?, _ body: @escaping @Sendable () -> Void) {
    let isRunner = state.withLock { state in
      state.waiting.append((scope, body))
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isRunner else { return }
    while let (scope, body) = next() {
      if let scope, scope.isCancelled || scope.parkIfHeld(body) { continue }
      body()
    }
  }

  private func next() -> (scope: EffectScope?, body: @Sendable () -> Void)? {
    state.withLock { state in
      if state.waiting.isEmpty {
        state.isRunning = false
        return nil
      }
      return state.waiting.removeFirst()
    }
  }
}
