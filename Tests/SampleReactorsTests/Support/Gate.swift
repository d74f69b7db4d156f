import SampleReactors
import Synchronization

/// Holds every call of a service until the test answers it, in whatever order it likes.
///
///     let gate = Gate()
///     let service = EmbeddedPostService(beforeAnswering: gate.pass)
///     let call = await gate.next()
///     call.answer()
final class Gate: Sendable {
  /// A call that waits for its answer.
  struct Held: Sendable {
    let call: EmbeddedPostService.Call
    fileprivate let continuation: CheckedContinuation<Void, any Error>

    func answer() { continuation.resume() }
    func fail(_ error: any Error) { continuation.resume(throwing: error) }
  }

  private struct State {
    var held: [Held] = []
    var takers: [CheckedContinuation<Held, Never>] = []
    var count = 0
  }

  private let state = Mutex(State())

  /// How many calls have come so far.
  var count: Int { state.withLock { $0.count } }

  @Sendable func pass(_ call: EmbeddedPostService.Call) async throws {
    try await withCheckedThrowingContinuation { continuation in
      let held = Held(call: call, continuation: continuation)
      let taker = state.withLock { state -> CheckedContinuation<Held, Never>? in
        state.count += 1
        if !state.takers.isEmpty { return state.takers.removeFirst() }
        state.held.append(held)
        return nil
      }
      taker?.resume(returning: held)
    }
  }

  /// The oldest call that was not handed out yet, once it is there. It ignores cancellation, as a
  /// server does.
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
}
