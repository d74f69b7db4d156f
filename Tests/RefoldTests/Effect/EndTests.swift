import Synchronization
import Testing

@testable import Refold

/// `catch`, `retry`, `take(until:)`, `ifEmpty(switchTo:)` and `do`: what happens at an end.
@Suite("Ends")
struct EndTests {
  let stage = Marbles()

  @Test func catch_goes_on_with_the_handlers_effect() async {
    let source = stage.cold("--1--#")
    let other = stage.cold("-a|")
    await stage.expect(source.effect.catch { _ in other.effect }, "--1---a|")
    #expect(source.lives == ["^----!"])
    #expect(other.lives == ["-----^-!"])
  }

  @Test func catch_passes_other_ends() async {
    for end in ["|", "!"] {
      let stage = Marbles()
      let source = stage.cold("--1" + end)
      await stage.expect(source.effect.catch { _ in .just("a") }, "--1" + end)
      #expect(source.lives == ["^--!"])
    }
    await stage.expect(
      Effect.fail(MarbleError()).catch { .of("a", "\($0)") }, "(a[MarbleError()]|)")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func retry_begins_again_and_keeps_what_was_given() async {
    let source = stage.cold("--1-#")
    await stage.expect(source.effect.retry(3), "--1---1---1-#")
    #expect(source.lives == ["^---!", "----^---!", "--------^---!"])
  }

  @Test func retry_ends_with_the_first_attempt_that_does() async {
    let attempts = Mutex(0)
    let parts = [stage.cold("-1#"), stage.cold("--2|")]
    let effect = Effect.deferred {
      let attempt = attempts.withLock { attempts in
        defer { attempts += 1 }
        return attempts
      }
      return parts[min(attempt, 1)].effect
    }
    await stage.expect(effect.retry(5), "-1--2|")
  }

  @Test func retry_is_cancelled_midway_and_does_not_begin_again() async {
    let source = stage.cold("--1-#")
    await stage.expect(source.effect.retry(9), "--1---1", cancelledAt: 7)
    #expect(source.lives == ["^---!", "----^--!"])
    let other = Marbles()
    let cancelled = other.cold("-1!")
    await other.expect(cancelled.effect.retry(9), "-1!")
  }

  @Test func retry_of_what_fails_at_once_gives_the_last_error() async {
    await stage.expect(.concat(.just("a"), Effect.fail(MarbleError()).retry(3)), "(a#)")
    await Marbles().expect(Effect.empty.retry(3), "|")
    await Marbles().expect(Effect.fail(MarbleError()).retry(0), "#")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func take_until_cancels_its_source_and_gives_nothing_of_the_other() async {
    let source = stage.cold("--1--2--3--4|")
    let other = stage.cold(" -------x--y")
    await stage.expect(source.effect.take(until: other.effect), "--1--2-|")
    #expect(source.lives == ["^------!"])
    #expect(other.lives == ["^------!"])
  }

  @Test func take_until_ends_with_its_source_and_cancels_the_other() async {
    for end in ["|", "#", "!"] {
      let stage = Marbles()
      let source = stage.cold("--1--" + end)
      let other = stage.cold("--------x")
      await stage.expect(source.effect.take(until: other.effect), "--1--" + end)
      #expect(other.lives == ["^----!"])
    }
  }

  @Test func take_until_goes_on_when_the_other_ends_without_an_element() async {
    for end in ["|", "!"] {
      let stage = Marbles()
      let other = stage.cold("-" + end)
      await stage.expect(stage.cold("--1--2|").effect.take(until: other.effect), "--1--2|")
    }
  }

  @Test func take_until_fails_with_the_other() async {
    let source = stage.cold("--1--2|")
    await stage.expect(source.effect.take(until: stage.cold("---#").effect), "--1#")
    #expect(source.lives == ["^--!"])
  }

  @Test func take_until_begins_nothing_when_the_other_gives_at_once() async {
    let source = stage.cold("(ab|)")
    await stage.expect(source.effect.take(until: Effect.just(1)), "|")
    #expect(source.lives.isEmpty)
    await Marbles().expect(Effect.of("a", "b").take(until: Effect<Int>.never), "(ab|)")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func take_until_is_cancelled_midway() async {
    let source = stage.cold("--1--2|")
    let other = stage.cold("------x")
    await stage.expect(source.effect.take(until: other.effect), "--1", cancelledAt: 3)
    #expect(source.lives == ["^--!"])
    #expect(other.lives == ["^--!"])
  }

  @Test func if_empty_switches_when_nothing_was_given() async {
    let source = stage.cold("----|")
    let other = stage.cold("--1|")
    await stage.expect(source.effect.ifEmpty(switchTo: other.effect), "------1|")
    #expect(other.lives == ["----^--!"])
    await Marbles().expect(Effect.empty.ifEmpty(switchTo: .of("a", "b")), "(ab|)")
  }

  @Test func if_empty_stays_with_what_gave_something_or_did_not_end_by_itself() async {
    for marbles in ["--1|", "--#", "--!", "1|"] {
      let stage = Marbles()
      let source = stage.cold(marbles)
      await stage.expect(source.effect.ifEmpty(switchTo: .just("a")), marbles)
    }
  }

  @Test func if_empty_fails_with_the_other_and_is_cancelled_midway() async {
    await stage.expect(Effect.empty.ifEmpty(switchTo: stage.cold("-1#").effect), "-1#")
    let stage = Marbles()
    let other = stage.cold("-1-2")
    await stage.expect(Effect.empty.ifEmpty(switchTo: other.effect), "-1", cancelledAt: 2)
    #expect(other.lives == ["^-!"])
  }
}

/// `do`, which is told and changes nothing.
@Suite("Do")
struct DoTests {
  let stage = Marbles()

  /// Notes what it is told, and when.
  final class Notes: Sendable {
    private let notes = Mutex<[String]>([])
    var all: [String] { notes.withLock { $0 } }
    func note(_ text: String) { notes.withLock { $0.append(text) } }
  }

  let notes = Notes()

  func watched(_ effect: Effect<String>) -> Effect<String> {
    let (notes, stage) = (notes, stage)
    return effect.do(
      onNext: { notes.note("\($0) at \(stage.frame)") },
      onError: { notes.note("\($0) at \(stage.frame)") },
      onCompleted: { notes.note("completed at \(stage.frame)") },
      onCancel: { notes.note("cancelled at \(stage.frame)") })
  }

  @Test func is_told_elements_and_the_end() async {
    await stage.expect(watched(stage.cold("-1-2|").effect), "-1-2|")
    #expect(notes.all == ["1 at 1", "2 at 3", "completed at 4"])
  }

  @Test func is_told_an_error() async {
    await stage.expect(watched(stage.cold("-1#").effect), "-1#")
    #expect(notes.all == ["1 at 1", "MarbleError() at 2"])
  }

  @Test func is_told_of_a_cancellation_inside_and_outside_once() async {
    await stage.expect(watched(stage.cold("-1!").effect), "-1!")
    #expect(notes.all == ["1 at 1", "cancelled at 2"])
    let outside = DoTests()
    await outside.stage.expect(outside.watched(.never), "", cancelledAt: 3)
    #expect(outside.notes.all == ["cancelled at 3"])
    let enough = DoTests()
    await enough.stage.expect(enough.watched(enough.stage.cold("-1-2").effect).prefix(1), "-(1|)")
    #expect(enough.notes.all == ["1 at 1", "cancelled at 1"])
  }

  @Test func is_told_of_a_first_step_when_it_is_durable() async {
    await stage.expect(watched(.of("a", "b")), "(ab|)", commitAt: 3)
    #expect(notes.all == ["a at 3", "b at 3", "completed at 3"])
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func is_told_nothing_of_a_step_that_is_discarded() async {
    let run = EffectRun(cause: 1, loop: stage.loop)
    stage.begin(watched(.concat(.of("a", "b"), .never)), run)
    run.discard()
    #expect(stage.outputs.count == 2)
    #expect(notes.all.isEmpty)
  }
}
