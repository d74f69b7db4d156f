import EventStoreCore
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

@Suite("A test clock")
struct TestClockTests {
  let clock = TestClock()
  let woken = Log()

  final class Log: Sendable {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
  }

  func sleeper(_ name: String, _ seconds: Int...) -> Task<Void, any Error> {
    Task { [clock, woken] in
      for seconds in seconds {
        try await clock.sleep(for: .seconds(seconds))
        woken.add("\(name) at \(clock.now.offset)")
      }
    }
  }

  @Test func wakes_in_the_order_of_deadlines() async throws {
    var sleepers: [Task<Void, any Error>] = []
    for (count, (name, seconds)) in [("c", 3), ("a", 1), ("b", 2)].enumerated() {
      sleepers.append(sleeper(name, seconds))
      await clock.waitForSleepers(count: count + 1)
    }
    await clock.advance(by: .seconds(2))
    #expect(clock.now.offset == .seconds(2))
    await clock.advance(by: .seconds(2))
    for sleeper in sleepers { try await sleeper.value }
    #expect(woken.all == ["a at 1.0 seconds", "b at 2.0 seconds", "c at 3.0 seconds"])
    try clock.checkSuspension()
  }

  @Test func wakes_again_whoever_sleeps_again_on_the_way() async throws {
    let sleeper = sleeper("a", 1, 1, 1)
    await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(5))
    try await sleeper.value
    #expect(woken.all == ["a at 1.0 seconds", "a at 2.0 seconds", "a at 3.0 seconds"])
  }

  @Test func runs_until_nobody_sleeps() async throws {
    let sleeper = sleeper("a", 3600, 3600)
    await clock.waitForSleepers(count: 1)
    await clock.run()
    try await sleeper.value
    #expect(clock.now.offset == .seconds(7200))
  }

  @Test func a_cancelled_sleep_ends_at_once() async {
    let sleeper = sleeper("a", 1)
    await clock.waitForSleepers(count: 1)
    sleeper.cancel()
    await #expect(throws: CancellationError.self) { try await sleeper.value }
    #expect(clock.sleeperCount == 0)
    let cancelled = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await cancelled.value }
  }

  @Test func a_sleep_until_a_past_time_returns_at_once() async throws {
    await clock.advance(by: .seconds(5))
    try await clock.sleep(until: .init(offset: .seconds(5)))
    try await clock.sleep(until: .init(offset: .seconds(1)))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func says_who_is_still_asleep() async {
    let sleeper = sleeper("a", 2)
    await clock.waitForSleepers(count: 1)
    let error = #expect(throws: TestClock.SuspensionError.self) { try clock.checkSuspension() }
    #expect(
      error?.description == "1 still asleep, until 2.0 seconds after the clock's start. "
        + "Advance the clock further, or cancel what sleeps.")
    sleeper.cancel()
  }

  @Test func a_day_of_a_session_passes_in_no_time() async throws {
    let clock = clock
    let store = InMemoryEventStore()
    let reactor = ProbeReactor(effects: { _ in
      Effect.timer(after: .seconds(60), every: .seconds(60), clock: clock).prefix(60)
        .delay(.seconds(5), clock: clock)
        .map { .init(text: "\($0) at \(clock.now.offset.components.seconds)") }
    })
    let session = try await Session.open(reactor, named: "s", in: store)
    try await session.send(.probe("a"))
    await clock.advance(by: .seconds(125), settling: session)
    #expect(session.currentState.texts == ["0 at 65", "1 at 125"])
    await clock.run(settling: session)
    #expect(session.currentState.texts.count == 60)
    #expect(session.currentState.texts.last == "59 at 3605")
    try clock.checkSuspension()
    try await session.close()
  }
}
