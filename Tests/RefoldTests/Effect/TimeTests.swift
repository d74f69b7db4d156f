import RefoldTesting
import Testing

@testable import Refold

/// `timer`, `timeout`, `delay`, `debounce` and `throttle`. A frame is a second.
@Suite("Time")
struct TimeTests {
  let stage = Marbles()

  func timer(_ after: Int, every period: Int? = nil) -> Effect<String> {
    Effect.timer(
      after: .seconds(after), every: period.map { .seconds($0) }, clock: stage.clock
    ).map { "\($0)" }
  }

  func timeout(_ source: Effect<String>, _ frames: Int) -> Effect<String> {
    source.timeout(.seconds(frames), clock: stage.clock)
  }

  func delayed(_ source: Effect<String>, _ frames: Int = 2) -> Effect<String> {
    source.delay(.seconds(frames), clock: stage.clock)
  }

  func debounced(_ source: Effect<String>, _ frames: Int = 3) -> Effect<String> {
    source.debounce(.seconds(frames), clock: stage.clock)
  }

  func throttled(_ source: Effect<String>, latest: Bool = true) -> Effect<String> {
    source.throttle(.seconds(3), latest: latest, clock: stage.clock)
  }

  @Test func a_timer_counts_once_or_for_ever() async {
    await stage.expect(timer(2), "--(0|)")
    let other = TimeTests()
    await other.stage.expect(other.timer(2, every: 3).prefix(4), "--0--1--2--(3|)")
    let zero = TimeTests()
    await zero.stage.expect(zero.timer(0, every: 1).prefix(2), "0(1|)")
  }

  @Test func a_timer_counts_from_the_commit() async {
    await stage.expect(timer(2), "-----(0|)", commitAt: 3)
  }

  @Test func a_cancelled_timer_sleeps_no_longer() async {
    await stage.expect(timer(2, every: 2), "--0-1", cancelledAt: 5)
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func a_timeout_fails_when_nothing_comes() async {
    let source = stage.cold("    --1--2-------3|")
    await stage.expect(timeout(source.effect, 4), "--1--2---#")
    #expect(source.lives == ["^--------!"])
    let other = TimeTests()
    await other.stage.expect(other.timeout(.never, 3), "---#")
  }

  @Test func a_timeout_says_how_long_was_waited() async {
    let message = timeout(.never, 3).catch {
      .just("\(($0 as? EffectTimeout)?.duration == .seconds(3))")
    }
    await stage.expect(message, "---([true]|)")
    #expect(EffectTimeout(after: .seconds(3)).description == "no element came within 3.0 seconds")
  }

  @Test func a_timeout_lets_pass_what_comes_in_time_and_every_end() async {
    for end in ["|", "#", "!"] {
      let test = TimeTests()
      let source = test.stage.cold("--1--2--" + end)
      await test.stage.expect(test.timeout(source.effect, 4), "--1--2--" + end)
    }
  }

  @Test func a_timeout_counts_from_the_commit_and_costs_nothing_at_once() async {
    await stage.expect(timeout(.never, 2), "----#", commitAt: 2)
    let test = TimeTests()
    await test.stage.expect(test.timeout(.of("a", "b"), 2), "(ab|)")
    let inner = Effect.of("a", "b").flatMap { test.timeout(.just($0), 2) }
    let live = test.stage.cold("-x|")
    _ = await test.stage.run(live.effect.flatMap { _ in inner }, frames: 5)
    #expect(test.stage.loop.tasks.started == 0)
  }

  @Test func a_timeout_is_cancelled_midway() async {
    await stage.expect(timeout(.never, 4), "", cancelledAt: 2)
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func a_stream_with_a_timeout_costs_one_task() async {
    let source = stage.cold(String(repeating: "a", count: 50) + "|")
    await stage.expect(timeout(source.effect, 3), String(repeating: "a", count: 50) + "|")
    #expect(stage.loop.tasks.started == 1)
  }

  @Test func delay_shifts_elements_and_the_end() async {
    await stage.expect(delayed(stage.cold("--1-2--3|").effect), "----1-2--3|")
    let test = TimeTests()
    await test.stage.expect(test.delayed(.of("a", "b")), "--(ab|)")
    let empty = TimeTests()
    await empty.stage.expect(empty.delayed(.empty), "--|")
    let cancelled = TimeTests()
    await cancelled.stage.expect(cancelled.delayed(cancelled.stage.cold("-1!").effect), "---1!")
  }

  @Test func delay_passes_an_error_at_once_and_drops_what_waited() async {
    await stage.expect(delayed(stage.cold("--1--2#").effect), "----1-#")
  }

  @Test func delay_counts_from_the_commit() async {
    await stage.expect(delayed(.just("a")), "-----(a|)", commitAt: 3)
  }

  @Test func delay_is_cancelled_midway() async {
    let source = stage.cold("--1-2-3")
    await stage.expect(delayed(source.effect), "----1", cancelledAt: 5)
    #expect(source.lives == ["^----!"])
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func delay_of_many_elements_costs_few_tasks() async {
    let source = stage.cold("(abcdefghi)|")
    await stage.expect(delayed(source.effect), "--(abcdefghi)|")
    #expect(stage.loop.tasks.started == 2)
  }

  @Test func debounce_gives_an_element_once_none_has_followed() async {
    let source = stage.cold("            --1-2------3|")
    await stage.expect(debounced(source.effect), "-------2----(3|)")
  }

  @Test func debounce_gives_the_last_element_of_what_comes_at_once() async {
    await stage.expect(debounced(.of("a", "b", "c")), "(c|)")
    #expect(stage.loop.tasks.started == 0)
    let empty = TimeTests()
    await empty.stage.expect(empty.debounced(.empty), "|")
  }

  @Test func debounce_drops_what_waited_with_an_error() async {
    await stage.expect(debounced(stage.cold("-1----2#").effect), "----1--#")
  }

  @Test func debounce_ends_as_cancelled_behind_what_waited() async {
    await stage.expect(debounced(stage.cold("-1!").effect), "--(1!)")
  }

  @Test func debounce_is_cancelled_midway() async {
    await stage.expect(debounced(stage.cold("-1---2-3").effect), "----1", cancelledAt: 9)
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func a_burst_that_is_debounced_costs_one_task() async {
    let burst = String(repeating: "a", count: 50)
    let source = stage.cold(burst + "----")
    await stage.expect(debounced(source.effect), String(repeating: "-", count: 52) + "a")
    #expect(stage.loop.tasks.started == 1)
  }

  @Test func throttle_gives_the_first_then_the_latest() async {
    let source = stage.cold("             -123------4-5-|")
    await stage.expect(throttled(source.effect), "-1--3-----4--5|")
    let test = TimeTests()
    await test.stage.expect(test.throttled(test.stage.cold("-12|").effect), "-1--(2|)")
  }

  @Test func throttle_without_latest_drops_what_comes_too_early() async {
    let source = stage.cold("                            -1-23-----4-5|")
    await stage.expect(throttled(source.effect, latest: false), "-1--3-----4--|")
  }

  @Test func throttle_keeps_quiet_after_what_it_gave_late() async {
    let source = stage.cold("             1-2--3-4----|")
    await stage.expect(throttled(source.effect), "1--2--3--4--|")
  }

  @Test func throttle_passes_ends() async {
    await stage.expect(throttled(stage.cold("-12#").effect), "-1-#")
    let test = TimeTests()
    await test.stage.expect(test.throttled(test.stage.cold("-12!").effect), "-1--(2!)")
    let empty = TimeTests()
    await empty.stage.expect(empty.throttled(.empty), "|")
  }

  @Test func throttle_of_what_comes_at_once_gives_the_first_and_the_last() async {
    await stage.expect(throttled(.of("a", "b", "c")), "a--(c|)")
    let test = TimeTests()
    await test.stage.expect(test.throttled(.of("a", "b"), latest: false), "(a|)")
    #expect(test.stage.loop.tasks.started == 0)
  }

  @Test func throttle_is_cancelled_midway() async {
    await stage.expect(throttled(stage.cold("-12--").effect), "-1", cancelledAt: 3)
    #expect(stage.clock.sleeperCount == 0)
  }

  @Test func elements_keep_their_cause() async {
    for apply in [Self.delayedOf, Self.debouncedOf, Self.throttledOf, Self.timeoutOf] {
      let test = TimeTests()
      _ = await test.stage.run(apply(test), frames: 10)
      #expect(test.stage.outputs.compactMap(\.cause).allSatisfy { $0 == 7 })
      #expect(test.stage.outputs.contains { $0.cause == 7 })
    }
  }

  private static let delayedOf = { @Sendable (test: TimeTests) in
    test.delayed(test.stage.cold("-12", cause: 7).effect)
  }
  private static let debouncedOf = { @Sendable (test: TimeTests) in
    test.debounced(test.stage.cold("-12", cause: 7).effect)
  }
  private static let throttledOf = { @Sendable (test: TimeTests) in
    test.throttled(test.stage.cold("-12", cause: 7).effect)
  }
  private static let timeoutOf = { @Sendable (test: TimeTests) in
    test.timeout(test.stage.cold("-12", cause: 7).effect, 3)
  }
}
