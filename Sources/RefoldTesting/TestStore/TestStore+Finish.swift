import EventStoreCore
import Refold
import Synchronization
import Testing

extension TestStore {
  /// Asserts that nothing happened beyond what was asserted and that no effect goes on, and closes
  /// the session.
  ///
  /// Waits for effects that are about to end; where exhaustivity is off, it cancels them at once.
  /// A second call does nothing.
  /// - Parameter timeout: how long to wait for effects, in real time; nil for the store's own.
  /// - Throws: what the session throws on closing.
  nonisolated(nonsending) public func finish(
    timeout: Duration? = nil, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    guard markFinished() else { return }
    let call = AssertedCall("finish()", at: sourceLocation)
    let timeout = timeout ?? self.timeout
    if exhaustivity.isOn, await !isIdle(within: timeout) {
      report(
        """
        finish(): effects still go on after \(timeout). \(try effectsInWords())
        Let them end before: answer what they wait for, advance the test clock, send the action \
        that cancels them, or give a longer `timeout:`.
        """, at: sourceLocation)
    }
    try await close(call)
    let events = try unasserted()
    try move(past: events)
    reportUnasserted(
      events, call, "happened and was not asserted. Assert it with receive(…), or prevent it.")
    reportSessionIssues(at: sourceLocation)
  }

  /// Closes the session without asserting anything, for a test that has failed already.
  nonisolated(nonsending) func abandon() async {
    guard markFinished() else { return }
    await Self.returns(within: timeout) { [session] in try? await session.close() }
  }

  private nonisolated(nonsending) func isIdle(within timeout: Duration) async -> Bool {
    await Self.returns(within: timeout) { [session] in
      await withCheckedContinuation { continuation in
        session.when(.idle) { continuation.resume() }
      }
    }
  }

  private nonisolated(nonsending) func close(_ call: AssertedCall) async throws {
    let outcome = Outcome()
    let isClosed = await Self.returns(within: timeout) { [session] in
      do { try await session.close() } catch { outcome.fail(error) }
    }
    if !isClosed {
      report(
        """
        finish(): the task of an effect still runs \(timeout) after it was cancelled. Code that \
        waits has to heed cancellation: let it throw CancellationError, or return.
        """, at: call.location)
    }
    if let error = outcome.error { throw error }
  }

  /// Whether `work` returns within `timeout`. It goes on if it does not.
  @discardableResult
  private static func returns(
    within timeout: Duration, _ work: @escaping @Sendable () async -> Void
  ) async -> Bool {
    let patience = Patience(timeout)
    return await withCheckedContinuation { continuation in
      let answer = Answer(continuation)
      Task {
        await work()
        answer.give(true)
      }
      patience.whenOver { answer.give(false) }
    }
  }
}

/// A continuation that the first of two resumes.
private final class Answer: Sendable {
  private let continuation: Mutex<CheckedContinuation<Bool, Never>?>

  init(_ continuation: CheckedContinuation<Bool, Never>) { self.continuation = Mutex(continuation) }

  func give(_ value: Bool) {
    continuation.withLock { $0.take() }?.resume(returning: value)
  }
}

/// An error that crosses from one task to another.
private final class Outcome: Sendable {
  private let content = Mutex<(any Error)?>(nil)

  var error: (any Error)? { content.withLock { $0 } }

  func fail(_ error: any Error) { content.withLock { $0 = error } }
}

/// Runs `body` with a test store of `reactor`, and finishes it.
///
///     try await withTestStore(CounterReactor()) { store in
///       try await store.send(.increase(by: 2), mutations: [.add(2)]) { $0.value = 2 }
///     }
///
/// For the parameters see `TestStore.init`. Where `body` throws, the session is closed without more
/// assertions.
/// - Throws: what `body` throws, and what opening and closing the session throw.
nonisolated(nonsending) public func withTestStore<R: Reactor>(
  _ reactor: R, given mutations: [R.Mutation] = [],
  in eventStore: InMemoryEventStore = InMemoryEventStore(), session name: String = "test",
  options: SessionOptions = SessionOptions(), exhaustivity: Exhaustivity = .on,
  timeout: Duration = .seconds(5), sourceLocation: SourceLocation = #_sourceLocation,
  _ body: nonisolated(nonsending) (TestStore<R>) async throws -> Void
) async throws {
  let store = try await TestStore(
    reactor, given: mutations, in: eventStore, session: name, options: options,
    exhaustivity: exhaustivity, timeout: timeout, sourceLocation: sourceLocation)
  do {
    try await body(store)
    try await store.finish(sourceLocation: sourceLocation)
  } catch {
    await store.abandon()
    throw error
  }
}
