import Synchronization

/// Holds every call of a service, of whatever kind, until the test answers it or its task is
/// cancelled.
///
///     let gate = CallGate<MusicEndpoint>()
///     let service = EmbeddedMusicService(beforeAnswering: gate.pass)
///     let call = await gate.next()
///     call.answer()
final class CallGate<Call: Sendable>: Sendable {
  /// A call that waits for its answer. An answer to one that was cancelled meanwhile is lost.
  struct Held: Sendable {
    let call: Call
    fileprivate let end: @Sendable (Result<Void, any Error>) -> Void

    func answer() { end(.success(())) }
    func fail(_ error: any Error) { end(.failure(error)) }
  }

  private struct State {
    var count = 0
    var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    var ended: [Int: Result<Void, any Error>] = [:]
    var held: [Held] = []
    var takers: [CheckedContinuation<Held, Never>] = []
    var cancelled: [Call] = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
  }

  private let state = Mutex(State())
  private let heedsCancellation: Bool

  /// - Parameter heedsCancellation: whether a call ends when its task is cancelled, as a request
  ///   does; otherwise it is answered all the same, too late.
  init(heedsCancellation: Bool = true) { self.heedsCancellation = heedsCancellation }

  /// How many calls have come so far.
  var count: Int { state.withLock { $0.count } }

  /// The calls whose tasks were cancelled while they waited, in that order.
  var cancelled: [Call] { state.withLock { $0.cancelled } }

  @Sendable func pass(_ call: Call) async throws {
    let id = state.withLock { state in
      state.count += 1
      return state.count
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { wait(id, call, $0) }
    } onCancel: {
      cancel(id, call)
    }
  }

  private func wait(
    _ id: Int, _ call: Call, _ continuation: CheckedContinuation<Void, any Error>
  ) {
    let held = Held(call: call) { [self] in end(id, $0) }
    let (ended, taker) = state.withLock { state in
      let ended = state.ended[id]
      if ended == nil { state.waiting[id] = continuation }
      if !state.takers.isEmpty { return (ended, Optional(state.takers.removeFirst())) }
      state.held.append(held)
      return (ended, nil)
    }
    if let ended { continuation.resume(with: ended) }
    taker?.resume(returning: held)
  }

  private func end(_ id: Int, _ result: Result<Void, any Error>) {
    let continuation = state.withLock { state in
      if state.ended[id] == nil { state.ended[id] = result }
      return state.waiting.removeValue(forKey: id)
    }
    continuation?.resume(with: result)
  }

  private func cancel(_ id: Int, _ call: Call) {
    let watchers = state.withLock { state in
      guard state.ended[id] == nil else { return [CheckedContinuation<Void, Never>]() }
      state.cancelled.append(call)
      let count = state.cancelled.count
      defer { state.watchers.removeAll { $0.count <= count } }
      return state.watchers.filter { $0.count <= count }.map(\.continuation)
    }
    if heedsCancellation { end(id, .failure(CancellationError())) }
    for watcher in watchers { watcher.resume() }
  }

  /// The oldest call that was not handed out yet, once it is there.
  func next() async -> Held {
    await withCheckedContinuation { continuation in
      let held = state.withLock { state -> Held? in
        if !state.held.isEmpty { return state.held.removeFirst() }
        state.takers.append(continuation)
        return nil
      }
      if let held { continuation.resume(returning: held) }
    }
  }

  /// The next `count` calls, in the order in which they come.
  func next(_ count: Int) async -> [Held] {
    var calls: [Held] = []
    while calls.count < count { calls.append(await next()) }
    return calls
  }

  /// Returns when the tasks of `count` waiting calls have been cancelled.
  func cancelled(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let isThere = state.withLock { state in
        if state.cancelled.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if isThere { continuation.resume() }
    }
  }
}

extension CallGate where Call == Void {
  @Sendable func pass() async throws { try await pass(()) }
}
