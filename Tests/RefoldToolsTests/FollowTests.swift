import Foundation
import Testing

@Suite("Following in a pipe", .timeLimit(.minutes(5)))
struct FollowTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func increase(by amount: Int) async throws {
    let input = "{\"increase\":{\"by\":\(amount)}}\n"
    #expect(try await shell.refold("run", "counter", "--session", "s", input: input).code == 0)
  }

  @Test func prints_what_is_there_and_then_what_comes_until_it_is_interrupted() async throws {
    try await increase(by: 1)
    let follow = try LiveRun(shell, ["replay", "s", "--follow"])
    await follow.waitForLines(2)
    try await increase(by: 2)
    await follow.waitForLines(4)
    let all = try await shell.refold("replay", "s")
    #expect(follow.output == all.lines)
    follow.signal(SIGINT)
    #expect(await follow.wait() == 130)
    #expect(follow.output == all.lines)
  }

  @Test func folds_states_and_diffs_on_and_starts_with_a_session_without_events() async throws {
    try shell.record("s", [])
    let states = try LiveRun(shell, ["replay", "s", "--follow", "--emit", "states"])
    let diffs = try LiveRun(shell, ["replay", "s", "--follow", "--emit", "diffs"])
    try await increase(by: 3)
    try await increase(by: 4)
    await states.waitForLines(4)
    await diffs.waitForLines(4)
    #expect(states.output.last == #"{"seq":4,"state":{"value":7}}"#)
    #expect(
      diffs.output.last == #"{"seq":4,"patch":[{"op":"replace","path":"/value","value":7}]}"#)
    for run in [states, diffs] {
      run.signal(SIGTERM)
      #expect(await run.wait() == 143)
    }
  }

  @Test func ends_quietly_when_its_reader_has_gone() async throws {
    try await increase(by: 1)
    let ended = try await shell.bash("refold replay s --follow | head -n 1; echo ${PIPESTATUS[0]}")
    #expect(ended.lines.last == "0")
  }

  @Test func goes_without_an_end() async throws {
    try await increase(by: 1)
    let usage = try await shell.refold("replay", "s", "--follow", "--to", "1")
    #expect(usage.code == 64)
    #expect(usage.error.contains("--follow goes on beyond any end"))
  }
}
