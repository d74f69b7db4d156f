import Synchronization

/// A clock that stands still until the test moves it.
final class ManualClock: Clock {
  struct Instant: InstantProtocol {
    var offset: Duration

    func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
    func duration(to other: Instant) -> Duration { other.offset - offset }
    static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  private struct Sleeper {
    var id: Int
    var deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>
  }

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Sleeper] = []
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Takes out the watchers that have seen enough sleepers begin.
    mutating func satisfied() -> [CheckedContinuation<Void, Never>] {
      let begun = nextID
      defer { watchers.removeAll { $0.count <= begun } }
      return watchers.filter { $0.count <= begun }.map(\.continuation)
    }
  }

  private let state = Mutex(State())

  var now: Instant { state.withLock { $0.now } }
  var minimumResolution: Duration { .zero }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        sleep(id, until: deadline, continuation)
      }
    } onCancel: {
      cancel(id)
    }
  }

  private func sleep(
    _ id: Int, until deadline: Instant, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let (end, watchers) = state.withLock {
      state -> (Result<Void, any Error>?, [CheckedContinuation<Void, Never>]) in
      if state.cancelled.remove(id) != nil {
        return (.failure(CancellationError()), state.satisfied())
      }
      if deadline <= state.now { return (.success(()), state.satisfied()) }
      state.sleepers.append(Sleeper(id: id, deadline: deadline, continuation: continuation))
      return (nil, state.satisfied())
    }
    if let end { continuation.resume(with: end) }
    for watcher in watchers { watcher.resume() }
  }

  private func cancel(_ id: Int) {
    let sleeper: Sleeper? = state.withLock { state in
      guard let index = state.sleepers.firstIndex(where: { $0.id == id }) else {
        state.cancelled.insert(id)
        return nil
      }
      return state.sleepers.remove(at: index)
    }
    sleeper?.continuation.resume(throwing: CancellationError())
  }

  /// Moves on by `duration`, and wakes whoever sleeps no longer.
  func advance(by duration: Duration) {
    let awake = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let now = state.now
      defer { state.sleepers.removeAll { $0.deadline <= now } }
      return state.sleepers.filter { $0.deadline <= now }
    }
    for sleeper in awake { sleeper.continuation.resume() }
  }

  /// Returns when `count` sleeps have begun since the clock was made, ended ones included.
  func begun(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.nextID >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}
