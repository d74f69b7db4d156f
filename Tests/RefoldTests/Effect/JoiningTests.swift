import Testing

@testable import Refold

/// `zip` and `combineLatest`.
@Suite("Joining")
struct JoiningTests {
  let stage = Marbles()

  func zipped(_ a: MarbleSource, _ b: MarbleSource) -> Effect<String> {
    .zip(a.effect, b.effect) { $0 + $1 }
  }

  func latest(_ a: MarbleSource, _ b: MarbleSource) -> Effect<String> {
    .combineLatest(a.effect, b.effect) { $0 + $1 }
  }

  @Test func zip_joins_first_with_first_and_second_with_second() async {
    let a = stage.cold("  --1---2--3|")
    let b = stage.cold("  ----x--y-----z--")
    await stage.expect(zipped(a, b), "----[1x]--[2y]-----([3z]|)")
    #expect(a.lives == ["^---------!"])
    #expect(b.lives == ["^------------!"])
  }

  @Test func zip_ends_when_a_part_has_ended_and_is_used_up() async {
    let a = stage.cold("--1-2-3-4")
    let b = stage.cold("-x-y----|")
    await stage.expect(zipped(a, b), "--[1x]-[2y]---|")
    #expect(a.lives == ["^-------!"])
  }

  @Test func zip_fails_with_the_first_error_and_cancels_the_others() async {
    let a = stage.cold("--1---2--")
    let b = stage.cold("-x-#")
    await stage.expect(zipped(a, b), "--[1x]#")
    #expect(a.lives == ["^--!"])
  }

  @Test func zip_of_an_empty_part_begins_no_later_one() async {
    let b = stage.cold("-x")
    await stage.expect(.zip(.empty, b.effect) { $0 + $1 }, "|")
    #expect(b.lives.isEmpty)
    await Marbles().expect(Effect.zip([Effect<String>]()).map { $0.joined() }, "|")
  }

  @Test func zip_is_cancelled_midway() async {
    let a = stage.cold("--1---2--3|")
    let b = stage.cold("----x--y-----z--")
    await stage.expect(zipped(a, b), "----[1x]", cancelledAt: 6)
    #expect(a.lives == ["^-----!"])
    #expect(b.lives == ["^-----!"])
  }

  @Test func zip_of_a_cancelled_part_ends_as_cancelled() async {
    let a = stage.cold("--1--!")
    let b = stage.cold("-x-----")
    await stage.expect(zipped(a, b), "--[1x]--!")
    #expect(b.lives == ["^----!"])
  }

  @Test func zip_of_parts_that_give_at_once_needs_no_task() async {
    let effect = Effect.zip(Effect.of("1", "2", "3"), .of("x", "y")) { $0 + $1 }
    await stage.expect(effect, "([1x][2y]|)")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func zip_takes_up_to_six_types_and_gives_tuples() async {
    let six = Effect.zip(
      .just(1), .just("b"), .just(true), .just(4.5), .just([5]), .just(Character("f")))
    await stage.expect(
      six.map { "\($0.0)\($0.1)\($0.2)\($0.3)\($0.4)\($0.5)" }, "([1btrue4.5[5]f]|)")
    let three = Effect.zip(Effect.just(1), .just("b"), .just(true))
    await Marbles().expect(three.map { "\($0)\($1)\($2)" }, "([1btrue]|)")
  }

  @Test func zip_fails_with_what_its_transform_throws() async {
    let a = stage.cold("-1-")
    let effect = Effect<String>.zip(a.effect, .just("x")) { _, _ in throw MarbleError() }
    await stage.expect(effect, "-#")
    #expect(a.lives == ["^!"])
  }

  @Test func zip_of_an_array_keeps_its_order() async {
    let parts = ["---a|", "-b|", "--c|"].map { stage.cold($0).effect }
    await stage.expect(Effect.zip(parts).map { $0.joined() }, "---([abc]|)")
  }

  @Test func combine_latest_joins_whatever_is_new_with_the_latest_of_the_others() async {
    let a = stage.cold("                        --1----2----|")
    let b = stage.cold("                        ----x----y--|")
    await stage.expect(latest(a, b), "----[1x]--[2x]-[2y]--|")
  }

  @Test func combine_latest_goes_on_until_all_have_ended() async {
    let a = stage.cold("--1|")
    let b = stage.cold("----x----y--|")
    await stage.expect(latest(a, b), "----[1x]----[1y]--|")
    #expect(a.lives == ["^--!"])
  }

  @Test func combine_latest_ends_with_a_part_that_gave_nothing() async {
    let a = stage.cold("--1--2--3")
    let b = stage.cold("----|")
    await stage.expect(latest(a, b), "----|")
    #expect(a.lives == ["^---!"])
    let none = Effect.combineLatest([Effect<String>]())
    await Marbles().expect(none.map { $0.joined() }, "|")
  }

  @Test func combine_latest_fails_with_the_first_error_and_cancels_the_others() async {
    let a = stage.cold("--1--2--3")
    let b = stage.cold("---x--#")
    await stage.expect(latest(a, b), "---[1x]-[2x]#")
    #expect(a.lives == ["^-----!"])
  }

  @Test func combine_latest_is_cancelled_midway() async {
    let a = stage.cold("--1--2--3")
    let b = stage.cold("---x-----")
    await stage.expect(latest(a, b), "---[1x]", cancelledAt: 4)
    #expect(a.lives == ["^---!"])
    #expect(b.lives == ["^---!"])
  }

  @Test func combine_latest_of_parts_that_give_at_once_needs_no_task() async {
    let effect = Effect.combineLatest(Effect.of("1", "2"), .of("x", "y")) { $0 + $1 }
    await stage.expect(effect, "([2x][2y]|)")
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func combine_latest_takes_many_types_and_an_array() async {
    let four = Effect.combineLatest(Effect.just(1), .just("b"), .just(true), .just(4.5))
    await stage.expect(four.map { "\($0.0)\($0.1)\($0.2)\($0.3)" }, "([1btrue4.5]|)")
    let stage = Marbles()
    let parts = ["-a--d|", "--b|", "---c|"].map { stage.cold($0).effect }
    await stage.expect(
      Effect.combineLatest(parts).map { $0.joined() }, "---[abc][dbc]|")
  }

  @Test func what_is_joined_has_the_cause_of_the_element_that_completed_it() async {
    let a = stage.cold("-1", cause: 7)
    let b = stage.cold("--x", cause: 9)
    _ = await stage.run(zipped(a, b), frames: 5)
    #expect(stage.outputs.map(\.cause) == [9])
  }
}
