import Foundation
import Testing

@Suite("A run in a pipe")
struct PipeTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func a_line_is_acknowledged_while_standard_input_stays_open() async throws {
    let run = try LiveRun(shell, ["run", "counter", "--session", "s", "--emit", "acks"])
    try run.send("{\"increase\":{\"by\":2}}\n")
    await run.waitForLines(1)
    #expect(run.output == [#"{"line":1,"seq":1,"version":2}"#])
    // Acknowledged is on disk: another process sees it while this one goes on.
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(state == ["value": 2])
    try run.endInput()
    #expect(await run.wait() == 0)
  }

  @Test func a_killed_process_has_every_acknowledged_action_on_disk() async throws {
    let run = try LiveRun(shell, ["run", "counter", "--session", "s", "--emit", "acks"])
    for _ in 0..<50 { try run.send(String(repeating: "{\"increase\":{\"by\":1}}\n", count: 20)) }
    await run.waitForLines(100)
    run.signal(SIGKILL)
    #expect(await run.wait() == 128 + SIGKILL)
    let acknowledged = run.output.filter { $0.hasSuffix("}") }.count
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(try #require(state?["value"]) >= acknowledged)
    #expect(try await shell.refold("verify", "s").code == 0)
  }

  @Test func a_reader_that_has_seen_enough_ends_the_run_quietly() async throws {
    let run = try await shell.bash(
      #"""
      for i in $(seq 20000); do echo '{"increase":{"by":1}}'; done \
        | refold run counter --session s | head -1; echo "${PIPESTATUS[@]}" >&2
      """#)
    #expect(run.lines.count == 1)
    #expect(run.error.hasSuffix(" 0 0\n"), "refold should exit 0 and say nothing: \(run.error)")
    #expect(run.errorLines.count == 1)
    let log = try await shell.refold("log", "s", "--to", "1", "--json")
    #expect(log.lines == run.lines)
  }

  @Test func a_signal_commits_what_was_accepted_and_says_so_with_its_code() async throws {
    for (signal, code) in [(SIGINT, Int32(130)), (SIGTERM, 143)] {
      let name = "s\(signal)"
      let run = try LiveRun(shell, ["run", "counter", "--session", name, "--emit", "acks"])
      try run.send("{\"increase\":{\"by\":2}}\n")
      await run.waitForLines(1)
      run.signal(signal)
      #expect(await run.wait() == code)
      #expect(try await shell.refold("export", name).object()["seq"] as? Int == 2)
    }
  }

  @Test func many_lines_at_once_share_commits() async throws {
    let input = String(repeating: "{\"increase\":{\"by\":1}}\n", count: 5000)
    try await shell.refold("run", "counter", "--session", "s", "--emit", "none", input: input)
    let commits = try await shell.bash(#"sqlite3 "$REFOLD_STORE" 'SELECT count(*) FROM commits'"#)
    guard commits.code == 0 else { return }
    let count = try #require(Int(commits.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #expect(count < 2500, "5,000 actions took \(count) commits")
    #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 10_000)
  }
}
