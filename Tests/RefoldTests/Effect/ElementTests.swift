import Synchronization
import Testing

@testable import Refold

/// `map`, `compactMap`, `filter`, `scan`, `prefix`, `distinctUntilChanged`, `startWith` and
/// `ignoreElements`: an element becomes at most one.
@Suite("Elements")
struct ElementTests {
  let stage = Marbles()

  /// What each of them makes of `--a-A-b|`, and of a source that fails or is cancelled.
  static let operators:
    [(name: String, apply: @Sendable (Effect<String>) -> Effect<String>, String)] = [
      ("map", { $0.map { $0 + "!" } }, "--[a!]-[A!]-[b!]"),
      ("compactMap", { $0.compactMap { $0 == "A" ? nil : $0 } }, "--a---b"),
      ("filter", { $0.filter { $0 != "a" } }, "----A-b"),
      ("scan", { $0.scan("") { $0 + $1 } }, "--a-[aA]-[aAb]"),
      ("scanInto", { $0.scan(into: "") { $0 += $1 } }, "--a-[aA]-[aAb]"),
      ("prefix", { $0.prefix(4) }, "--a-A-b"),
      ("distinct", { $0.distinctUntilChanged() }, "--a-A-b"),
      ("distinctKey", { $0.distinctUntilChanged { $0.lowercased() } }, "--a---b"),
      ("distinctBy", { $0.distinctUntilChanged { $0.lowercased() == $1.lowercased() } }, "--a---b"),
      ("startWith", { $0.startWith("0", "1") }, "(01)-a-A-b"),
      ("ignoreElements", { $0.ignoreElements() }, "-------"),
    ]

  @Test(arguments: operators.indices) func pass_elements_and_every_end(_ index: Int) async {
    let (_, apply, elements) = Self.operators[index]
    for end in ["|", "#", "!"] {
      let stage = Marbles()
      let source = stage.cold("--a-A-b" + end)
      let gap = String(repeating: "-", count: max(0, 7 - Marble.frames(of: elements)))
      await stage.expect(apply(source.effect), elements + gap + end)
      #expect(source.lives == ["^------!"])
    }
  }

  @Test(arguments: operators.indices) func are_cancelled_midway(_ index: Int) async {
    let source = stage.cold("--a-A-b|")
    let given = await stage.run(
      Self.operators[index].apply(source.effect), frames: 9, cancelledAt: 3)
    #expect(given.allSatisfy { !"|#!".contains($0) || given.contains("[a!]") })
    #expect(source.lives == ["^--!"])
  }

  @Test(arguments: operators.indices) func need_no_task(_ index: Int) async {
    let given = await stage.run(Self.operators[index].apply(.empty), frames: 1)
    #expect(given == (Self.operators[index].name == "startWith" ? "(01|)" : "|"))
    #expect(stage.loop.tasks.started == 0)
  }

  @Test func prefix_cancels_what_comes_after() async {
    let source = stage.cold("--1--2--3|")
    await stage.expect(source.effect.prefix(2), "--1--(2|)")
    #expect(source.lives == ["^----!"])
    await Marbles().expect(Effect.of("a", "b", "c").prefix(2), "(ab|)")
  }

  @Test func prefix_of_none_begins_nothing() async {
    let source = stage.cold("--1")
    await stage.expect(source.effect.prefix(0), "|")
    #expect(source.lives.isEmpty)
  }

  @Test func prefix_ends_once_where_both_ends_fall_together() async {
    let effect = Effect.zip(Effect.just("a"), .just("b")) { $0 + $1 }.prefix(1)
    await stage.expect(effect, "([ab]|)")
  }

  @Test func a_thrown_error_ends_them_and_cancels_the_source() async {
    let fail: @Sendable (String) throws -> String = {
      if $0 == "2" { throw MarbleError() } else { $0 }
    }
    let source = stage.cold("-1-2-3")
    await stage.expect(source.effect.map(fail), "-1-#")
    #expect(source.lives == ["^--!"])
    await Marbles().expect(Effect.of("1", "2", "3").scan("") { try $0 + fail($1) }, "(1#)")
    await Marbles().expect(Effect.of("1", "2").distinctUntilChanged(fail), "(1#)")
    await Marbles().expect(Effect.of("1", "2").filter { try fail($0) == "1" }, "(1#)")
  }

  @Test func distinct_until_changed_takes_a_key_path() async {
    await stage.expect(Effect.of("a", "b", "cd").distinctUntilChanged(\.count), "(a[cd]|)")
  }

  @Test func elements_keep_their_cause() async {
    for (_, apply, _) in Self.operators {
      let stage = Marbles()
      _ = await stage.run(apply(stage.cold("-a", cause: 7).effect), frames: 3)
      let last = stage.outputs.last
      #expect(last == nil || last?.cause == 7)
    }
  }

  @Test func each_begin_has_a_memory_of_its_own() async {
    let counting = Effect.of("a", "b").scan("") { $0 + $1 }
    await stage.expect(.concat(counting, counting), "(a[ab]a[ab]|)")
  }
}
