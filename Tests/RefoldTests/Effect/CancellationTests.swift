import Testing

@testable import Refold

/// `cancellable` and `cancel`, also of parts that have not begun, and through every operator.
@Suite("Cancellation by id")
struct CancellationTests {
  let stage = Marbles()

  /// Cancels "x" from an action of its own, decided in one frame and durable in another.
  func cancel(at frame: Int, committedAt commit: Int? = nil) {
    let run = EffectRun(cause: 2, loop: stage.loop)
    let stage = stage
    stage.at(frame) {
      stage.loop.perform { Effect<String>.cancel(id: "x").begin(in: run.scope) { _ in } }
      if commit == nil { run.activate() }
    }
    if let commit { stage.at(commit) { run.activate() } }
  }

  @Test func a_part_is_cancelled_by_its_id() async {
    let source = stage.cold("-1-2-3-4|")
    cancel(at: 4)
    await stage.expect(source.effect.cancellable(id: "x"), "-1-2!")
    #expect(source.lives == ["^---!"])
  }

  @Test func values_wait_behind_the_commit_that_cancels() async {
    let source = stage.cold("-1-2-3-4|")
    cancel(at: 2, committedAt: 6)
    await stage.expect(source.effect.cancellable(id: "x"), "-1----!")
  }

  @Test func values_come_late_when_the_cancellation_is_discarded() async {
    let source = stage.cold("-1-2-3-4|")
    let run = EffectRun(cause: 2, loop: stage.loop)
    let stage = stage
    stage.at(2) {
      stage.loop.perform { Effect<String>.cancel(id: "x").begin(in: run.scope) { _ in } }
    }
    stage.at(6) { run.discard() }
    await stage.expect(source.effect.cancellable(id: "x"), "-1----(23)4|")
  }

  @Test func other_ids_and_other_types_are_left_alone() async {
    let source = stage.cold("-1-2-3|")
    let stage = stage
    stage.at(2) {
      let run = EffectRun(cause: 2, loop: stage.loop)
      stage.loop.perform {
        Effect<String>.concat(.cancel(id: "y"), .cancel(id: 1)).begin(in: run.scope) { _ in }
      }
      run.activate()
    }
    await stage.expect(source.effect.cancellable(id: "x"), "-1-2-3|")
  }

  @Test func a_part_of_a_concat_is_cancelled_before_it_begins() async {
    let (first, second) = (stage.cold("-----1|"), stage.cold("-2|"))
    cancel(at: 2)
    await stage.expect(
      .concat(first.effect, second.effect.cancellable(id: "x"), .just("3")), "-----1(3!)")
    #expect(second.lives.isEmpty)
  }

  @Test func a_part_whose_turn_comes_before_the_commit_that_cancels_it_waits_for_that() async {
    let (first, second) = (stage.cold("---1|"), stage.cold("(2|)"))
    cancel(at: 2, committedAt: 8)
    await stage.expect(
      .concat(first.effect, second.effect.cancellable(id: "x"), .just("3")), "---1----(3!)")
    #expect(second.lives.isEmpty)
  }

  @Test func the_alternative_of_an_empty_effect_is_cancelled_before_it_begins() async {
    let source = stage.cold("----|")
    cancel(at: 2)
    let other = Effect.just("1").cancellable(id: "x")
    await stage.expect(source.effect.ifEmpty(switchTo: other), "----!")
  }

  @Test func cancel_in_flight_cancels_the_older_of_one_effect() async {
    let source = stage.cold("-1--2|")
    let part = stage.cold("-a-b-c|")
    let effect = source.effect.flatMap { _ in
      part.effect.cancellable(id: "x", cancelInFlight: true)
    }
    await stage.expect(effect, "--a--a-b-c!")
  }

  typealias Operator = @Sendable (Effect<String>, Marbles) -> Effect<String>

  /// Every operator that passes on the ids of what it is applied to.
  static let operators: [(name: String, apply: Operator)] = [
    ("map", { effect, _ in effect.map { $0 } }),
    ("filter", { effect, _ in effect.filter { _ in true } }),
    ("scan", { effect, _ in effect.scan("") { $1 } }),
    ("prefix", { effect, _ in effect.prefix(9) }),
    ("distinctUntilChanged", { effect, _ in effect.distinctUntilChanged() }),
    ("startWith", { effect, _ in effect.startWith() }),
    ("ignoreElements", { effect, _ in effect.ignoreElements() }),
    ("concat", { effect, _ in .concat(effect, .empty) }),
    ("merge", { effect, _ in .merge(effect, .empty) }),
    ("zip", { effect, _ in .zip(effect, effect) { $1 } }),
    ("zip of an array", { effect, _ in .zip([effect]) { $0.joined() } }),
    ("combineLatest", { effect, _ in .combineLatest(effect, .just("")) { $0 + $1 } }),
    ("combineLatest of an array", { effect, _ in .combineLatest([effect]) { $0.joined() } }),
    ("flatMap", { effect, _ in effect.flatMap { .just($0) } }),
    ("flatMapLatest", { effect, _ in effect.flatMapLatest { .just($0) } }),
    ("take(until:)", { effect, _ in effect.take(until: Effect<Int>.never) }),
    ("take(until: this)", { effect, _ in Effect.of("a").take(until: effect) }),
    ("catch", { effect, _ in effect.catch { _ in .empty } }),
    ("retry", { effect, _ in effect.retry(3) }),
    ("ifEmpty", { effect, _ in effect.ifEmpty(switchTo: .empty) }),
    ("do", { effect, _ in effect.do() }),
    ("cancellable", { effect, _ in effect.cancellable(id: "outer") }),
    ("timeout", { effect, stage in effect.timeout(.seconds(9), clock: stage.clock) }),
    ("delay", { effect, stage in effect.delay(.seconds(1), clock: stage.clock) }),
    ("debounce", { effect, stage in effect.debounce(.seconds(1), clock: stage.clock) }),
    ("throttle", { effect, stage in effect.throttle(.seconds(1), clock: stage.clock) }),
  ]

  @Test(arguments: operators.indices) func an_id_is_known_through(_ index: Int) async {
    let source = stage.cold("(1|)")
    let part = Self.operators[index].apply(source.effect.cancellable(id: "x"), stage)
    #expect(part.cancellationIDs.contains(CancellationID("x")))
    cancel(at: 2)
    let given = await stage.run(.concat(stage.cold("----0|").effect, part), frames: 12)
    #expect(source.lives.isEmpty)
    #expect(!given.contains("1"))
  }
}
