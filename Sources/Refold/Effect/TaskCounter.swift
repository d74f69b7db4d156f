import Synchronization

/// How many tasks of a session are running, and how many it has ever started.
final class TaskCounter: Sendable {
  private let state = Mutex(State())

  private struct State {
    var running = 0
    var started = 0
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// The tasks that are running now, those that sleep included.
  var running: Int { state.withLock { $0.running } }

  /// All tasks that were ever started: none where every effect gives its elements at once.
  var started: Int { state.withLock { $0.started } }

  func enter() {
    state.withLock { state in
      state.running += 1
      state.started += 1
    }
  }

  func leave() {
    let waiters: [CheckedContinuation<Void, Never>] = state.withLock { state in
      state.running -= 1
      guard state.running == 0 else { return [] }
      defer { state.waiters = [] }
      return state.waiters
    }
    for waiter in waiters { waiter.resume() }
  }

  /// Returns when no task is running.
  func wait() async {
    await withCheckedContinuation { continuation in
      let idle = state.withLock { state in
        if state.running > 0 { state.waiters.append(continuation) }
        return state.running == 0
      }
      if idle { continuation.resume() }
    }
  }
}

extension Session {
  /// The tasks of this session's effects that are running now, those that sleep included.
  package var runningTasks: Int { tasks.running }

  /// All tasks that this session's effects ever started.
  package var startedTasks: Int { tasks.started }
}
