import Synchronization
import Testing

@testable import Refold

/// `concat`, `merge`, `flatMap` and `flatMapLatest`.
@Suite("Flattening")
struct FlatteningTests {
  let stage = Marbles()

  @Test func concat_begins_each_part_when_the_one_before_has_ended() async {
    let a = stage.cold("--1-2|")
    let b = stage.cold("--3|")
    await stage.expect(.concat(a.effect, b.effect), "--1-2--3|")
    #expect(a.lives == ["^----!"])
    #expect(b.lives == ["-----^--!"])
  }

  @Test func concat_ends_with_an_error_and_keeps_what_was_given() async {
    let a = stage.cold("--1-#")
    let b = stage.cold("--3|")
    await stage.expect(.concat(.just("0"), a.effect, b.effect), "0-1-#")
    #expect(b.lives.isEmpty)
  }

  @Test func concat_goes_on_after_a_cancelled_part_and_ends_as_cancelled() async {
    let a = stage.cold("--1-!")
    let b = stage.cold("--3|")
    await stage.expect(.concat(a.effect, b.effect), "--1---3!")
  }

  @Test func concat_is_cancelled_midway() async {
    let a = stage.cold("--1|")
    let b = stage.cold("--3--4")
    await stage.expect(.concat(a.effect, b.effect), "--1--3", cancelledAt: 6)
    #expect(b.lives == ["---^--!"])
  }

  @Test func concat_of_what_is_given_at_once_needs_no_task() async {
    await stage.expect(.concat(.of("a", "b"), .deferred { .just("c") }, .empty), "(abc|)")
    await Marbles().expect(.concat([]), "|")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func merge_takes_elements_as_they_arrive() async {
    let a = stage.cold("                   --1----2|")
    let b = stage.cold("                   ----3|")
    await stage.expect(.merge(a.effect, b.effect), "--1-3--2|")
  }

  @Test func merge_fails_with_the_first_error_and_cancels_the_others() async {
    let a = stage.cold("--1----2|")
    let b = stage.cold("----#")
    await stage.expect(.merge(a.effect, b.effect), "--1-#")
    #expect(a.lives == ["^---!"])
  }

  @Test func merge_is_cancelled_midway_and_ends_as_cancelled_with_a_part_that_was() async {
    let a = stage.cold("--1----2|")
    let b = stage.cold("---!")
    await stage.expect(.merge(a.effect, b.effect), "--1----2!")
    let stage = Marbles()
    let c = stage.cold("--1----2|")
    await stage.expect(.merge(c.effect, .never), "--1", cancelledAt: 4)
    #expect(c.lives == ["^---!"])
  }

  @Test func merge_of_what_is_given_at_once_needs_no_task() async {
    await stage.expect(.merge(.of("a", "b"), .deferred { .just("c") }, .empty), "(abc|)")
    await Marbles().expect(.merge([]), "|")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func flat_map_runs_all_effects_at_once() async {
    let source = stage.cold("--1----2---|")
    let parts = ["1": stage.cold("-a-b|"), "2": stage.cold("-c-d|")]
    await stage.expect(
      source.effect.flatMap { parts[$0]?.effect ?? .empty }, "---a-b--c-d|")
    #expect(parts["1"]?.lives == ["--^---!"])
  }

  @Test func flat_map_ends_when_the_source_and_all_effects_have() async {
    let source = stage.cold("-1-2|")
    let part = stage.cold("a----b|")
    await stage.expect(source.effect.flatMap { _ in part.effect }, "-a-a--b-b|")
    await Marbles().expect(Effect.empty.flatMap { (_: Int) in .just("a") }, "|")
  }

  @Test func flat_map_fails_with_the_first_error_of_any() async {
    let source = stage.cold("-1-2---3")
    let parts = ["1": stage.cold("-a-b-c-d"), "2": stage.cold("-#")]
    await stage.expect(source.effect.flatMap { parts[$0]?.effect ?? .empty }, "--a-(b#)")
    #expect(source.lives == ["^---!"])
    #expect(parts["1"]?.lives == ["-^--!"])
    let stage = Marbles()
    let failing = stage.cold("-1-#")
    await stage.expect(failing.effect.flatMap { _ in Effect<String>.never }, "---#")
  }

  @Test func flat_map_fails_with_what_its_transform_throws() async {
    let source = stage.cold("-1-2")
    await stage.expect(source.effect.flatMap { _ -> Effect<String> in throw MarbleError() }, "-#")
    #expect(source.lives == ["^!"])
  }

  @Test func flat_map_is_cancelled_midway() async {
    let source = stage.cold("-1--2--3")
    let part = stage.cold("-a-b")
    await stage.expect(source.effect.flatMap { _ in part.effect }, "--a", cancelledAt: 3)
    #expect(part.lives == ["-^-!"])
  }

  @Test func flat_map_of_what_is_given_at_once_needs_no_task() async {
    await stage.expect(Effect.of("a", "b").flatMap { .of($0, $0) }, "(aabb|)")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func flat_map_latest_cancels_the_older_effect() async {
    let source = stage.cold("--1----2----|")
    let parts = ["1": stage.cold("-a-b-c-d-e|"), "2": stage.cold("-x-y-|")]
    await stage.expect(
      source.effect.flatMapLatest { parts[$0]?.effect ?? .empty }, "---a-b--x-y-|")
    #expect(parts["1"]?.lives == ["--^----!"])
  }

  @Test func flat_map_latest_ends_with_the_latest_effect() async {
    let source = stage.cold("-1|")
    let part = stage.cold("a--b|")
    await stage.expect(source.effect.flatMapLatest { _ in part.effect }, "-a--b|")
    let other = Marbles()
    let waiting = other.cold("-1---|")
    await other.expect(waiting.effect.flatMapLatest { _ in .just("a") }, "-a---|")
  }

  @Test func flat_map_latest_tells_the_effect_that_it_was_cancelled_but_goes_on() async {
    let cancelled = Mutex<[String]>([])
    let source = stage.cold("-1-2|")
    let part = stage.cold("---a|")
    let effect = source.effect.flatMapLatest { name in
      part.effect.do(onCancel: { cancelled.withLock { $0.append(name) } })
    }
    await stage.expect(effect, "------a|")
    #expect(cancelled.withLock { $0 } == ["1"])
  }

  @Test func flat_map_latest_ends_as_cancelled_only_when_cancelled_from_outside() async {
    let source = stage.cold("-1---|")
    let part = stage.cold("-a!")
    await stage.expect(source.effect.flatMapLatest { _ in part.effect }, "--a--!")
  }

  @Test func flat_map_latest_fails_with_any_error() async {
    let source = stage.cold("-1---#")
    let part = stage.cold("-a---b")
    await stage.expect(source.effect.flatMapLatest { _ in part.effect }, "--a--#")
    #expect(part.lives == ["-^---!"])
    let stage = Marbles()
    let going = stage.cold("-1----2")
    let failing = stage.cold("-#")
    await stage.expect(going.effect.flatMapLatest { _ in failing.effect }, "--#")
    #expect(going.lives == ["^-!"])
  }

  @Test func flat_map_latest_is_cancelled_midway() async {
    let source = stage.cold("-1----2")
    let part = stage.cold("-a-b")
    await stage.expect(source.effect.flatMapLatest { _ in part.effect }, "--a", cancelledAt: 3)
    #expect(source.lives == ["^--!"])
    #expect(part.lives == ["-^-!"])
  }

  @Test func flat_map_latest_of_what_is_given_at_once_needs_no_task() async {
    await stage.expect(Effect.of("a", "b").flatMapLatest { .of($0, $0) }, "(aabb|)")
    await Marbles().expect(Effect.empty.flatMapLatest { (_: Int) in .just("a") }, "|")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func flat_map_latest_drops_a_value_that_is_already_on_its_way() async {
    let keywords = PublishRelay<String>()
    let answers = ["1": PublishRelay<String>(), "2": PublishRelay<String>()]
    let run = EffectRun(cause: 1, loop: stage.loop)
    stage.begin(keywords.effect.flatMapLatest { answers[$0]?.effect ?? .empty }, run)
    run.activate()
    keywords.accept("1")
    stage.loop.perform {
      // Both wait on the loop, in this order.
      keywords.accept("2")
      answers["1"]?.accept("late")
      answers["2"]?.accept("new")
    }
    stage.loop.perform { answers["2"]?.accept("newer") }
    #expect(stage.outputs.map(\.marble) == [.element("newer")])
    run.end(.cancelled)
  }

  @Test func what_comes_of_an_element_has_its_cause() async {
    for isLatest in [false, true] {
      let stage = Marbles()
      let source = stage.cold("-1-2", cause: 7).effect
      let parts = ["1": Effect.just("a"), "2": stage.cold("-b").effect]
      let transform: @Sendable (String) -> Effect<String> = { parts[$0] ?? .empty }
      let effect = isLatest ? source.flatMapLatest(transform) : source.flatMap(transform)
      _ = await stage.run(effect, frames: 6)
      #expect(stage.outputs.map(\.marble) == [.element("a"), .element("b")])
      #expect(stage.outputs.map(\.cause) == [7, 7])
    }
  }
}
