import Refold
import Synchronization

/// A clock that stands still until the test moves it: hours pass in no time.
///
///     let clock = TestClock()
///     let session = try await Session.open(Search(clock: clock), named: "s", in: store)
///     try await session.send(.type("swift"))
///     await clock.advance(by: .milliseconds(300), settling: session)
///
/// Whoever sleeps is woken in the order of deadlines, those of one deadline in the order in which
/// they went to sleep, and at each waking `now` is that deadline. A sleep until a time that has
/// passed returns at once, so one that is registered a little late is late by nothing.
///
/// Moving the clock wakes tasks, and what a task does next takes real time: it may sleep again, and
/// should be woken again within the same `advance`. `advance(by:settling:)` knows when a session
/// has come to rest and is exact. `advance(by:)` knows of no session and gives woken tasks a number
/// of turns; where that matters, follow it by `waitForSleepers(count:)`.
public final class TestClock: Clock {
  /// A moment of a `TestClock`.
  public struct Instant: InstantProtocol {
    /// Time since the clock was made.
    public let offset: Duration

    /// The moment `offset` after the clock was made.
    public init(offset: Duration) { self.offset = offset }

    /// The moment that is later by `duration`.
    public func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }

    /// The time from this moment to `other`.
    public func duration(to other: Instant) -> Duration { other.offset - offset }

    /// Whether `left` is the earlier moment.
    public static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
  }

  /// Somebody sleeps on a clock where nobody should.
  public struct SuspensionError: Error, CustomStringConvertible {
    /// When they would wake, the earliest first.
    public let deadlines: [Instant]

    /// How many sleep, until when, and what to do.
    public var description: String {
      let times = deadlines.map { "\($0.offset)" }.joined(separator: ", ")
      return "\(deadlines.count) still asleep, until \(times) after the clock's start. "
        + "Advance the clock further, or cancel what sleeps."
    }
  }

  private let state = Mutex(State())

  private struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    /// Without a continuation: about to sleep.
    var sleepers: [Int: Sleeper] = [:]
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

    var asleep: [(id: Int, deadline: Instant)] {
      sleepers.filter { $0.value.continuation != nil }
        .map { ($0.key, $0.value.deadline) }
        .sorted { ($0.deadline, $0.id) < ($1.deadline, $1.id) }
    }
  }

  private struct Sleeper {
    let deadline: Instant
    var continuation: CheckedContinuation<Void, any Error>?
    var isCancelled = false
  }

  /// A clock at offset zero, on which nobody sleeps.
  public init() {}

  /// The present moment, which only the test moves.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero: a test clock is exact.
  public var minimumResolution: Duration { .zero }

  /// How many tasks are asleep on this clock.
  public var sleeperCount: Int { state.withLock { $0.asleep.count } }
}

// Sleeping.
extension TestClock {
  /// Returns when the clock has been moved to `deadline`; at once where it has passed.
  /// - Throws: `CancellationError` as soon as the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    let id = state.withLock { state in
      state.nextID += 1
      state.sleepers[state.nextID] = Sleeper(deadline: deadline)
      return state.nextID
    }
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { fallAsleep(id, $0) }
    } onCancel: {
      cancel(id)
    }
  }

  private func fallAsleep(_ id: Int, _ continuation: CheckedContinuation<Void, any Error>) {
    var watchers: [CheckedContinuation<Void, Never>] = []
    let end: Result<Void, any Error>? = state.withLock { state in
      guard let sleeper = state.sleepers[id] else { return .failure(CancellationError()) }
      if sleeper.isCancelled || sleeper.deadline <= state.now {
        state.sleepers[id] = nil
        return sleeper.isCancelled ? .failure(CancellationError()) : .success(())
      }
      state.sleepers[id]?.continuation = continuation
      let count = state.asleep.count
      watchers = state.watchers.filter { $0.count <= count }.map(\.continuation)
      state.watchers.removeAll { $0.count <= count }
      return nil
    }
    if let end { continuation.resume(with: end) }
    for watcher in watchers { watcher.resume() }
  }

  private func cancel(_ id: Int) {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      state.sleepers[id]?.isCancelled = true
      guard let continuation = state.sleepers[id]?.continuation else { return nil }
      state.sleepers[id] = nil
      return continuation
    }
    continuation?.resume(throwing: CancellationError())
  }

  /// Returns when at least `count` tasks are asleep on this clock.
  public func waitForSleepers(count: Int) async {
    await withCheckedContinuation { continuation in
      let areThere = state.withLock { state in
        if state.asleep.count >= count { return true }
        state.watchers.append((count, continuation))
        return false
      }
      if areThere { continuation.resume() }
    }
  }

  /// Makes sure that nobody sleeps on this clock: that a test has left nothing to come.
  /// - Throws: `SuspensionError`, which says until when somebody does.
  public func checkSuspension() throws {
    let deadlines = state.withLock { $0.asleep.map(\.deadline) }
    if !deadlines.isEmpty { throw SuspensionError(deadlines: deadlines) }
  }
}

// Moving on. One call at a time.
extension TestClock {
  /// Moves on by `duration`, waking whoever is due on the way, and giving each a number of turns to
  /// go on before the next.
  public func advance(by duration: Duration) async {
    await advance(to: now.advanced(by: duration)) { await Self.giveTurns() }
  }

  /// Moves on by `duration`, waking whoever is due on the way, and each time returns to it only
  /// when all that `session` runs sleeps on this clock or has ended, and everything is on disk.
  ///
  /// Effects that wait for something else keep it waiting: give them what they wait for first.
  public func advance(by duration: Duration, settling session: Session<some Reactor>) async {
    await advance(to: now.advanced(by: duration)) { await self.settle(session) }
  }

  /// Moves on until nobody is asleep. A timer without an end keeps it going for ever.
  public func run() async {
    await Self.giveTurns()
    while wakeNext() { await Self.giveTurns() }
  }

  /// Moves on until nobody is asleep, each time waiting for `session` to come to rest.
  public func run(settling session: Session<some Reactor>) async {
    await settle(session)
    while wakeNext() { await settle(session) }
  }

  /// Moves on to `end`.
  /// - Parameter settle: returns when those who were woken have gone to sleep again or ended.
  package func advance(to end: Instant, settle: () async -> Void) async {
    await settle()
    while wakeNext(through: end) { await settle() }
    state.withLock { $0.now = max($0.now, end) }
  }

  /// Moves to the earliest deadline, if it is not beyond `end`, and wakes one who sleeps until it.
  /// - Returns: whether there was one.
  package func wakeNext(through end: Instant? = nil) -> Bool {
    let continuation: CheckedContinuation<Void, any Error>? = state.withLock { state in
      guard let next = state.asleep.first, next.deadline <= end ?? next.deadline else { return nil }
      state.now = max(state.now, next.deadline)
      return state.sleepers.removeValue(forKey: next.id)?.continuation
    }
    continuation?.resume()
    return continuation != nil
  }

  /// Lets tasks that can run do so. They cannot tell when they are done, so this is a guess, made
  /// generously: each turn goes behind every task that is waiting for one.
  private static func giveTurns() async {
    for _ in 0..<200 { await Task.yield() }
  }

  private func settle(_ session: Session<some Reactor>) async {
    while true {
      let started = session.startedTasks
      let begun = state.withLock { $0.nextID }
      if session.runningTasks == sleeperCount, session.isTrue(.flushed),
        // Nothing began to run while we looked.
        session.runningTasks == sleeperCount, session.startedTasks == started,
        state.withLock({ $0.nextID }) == begun
      {
        return
      }
      await Task.yield()
    }
  }
}
