import Foundation
import Testing

@Suite("run")
struct RunTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test func two_actions_give_four_events_and_every_state_between() async throws {
    let run = try await shell.bash(
      #"printf '{"increase":{"by":2}}\n"reset"\n' | refold run counter --session s1"#)
    #expect(run.code == 0)
    let kinds = try (0..<4).map { try run.object($0)["kind"] as? String }
    #expect(kinds == ["action", "mutation", "action", "mutation"])
    #expect(try (0..<4).map { try run.object($0)["cause"] as? Int } == [0, 1, 0, 3])
    #expect(try (0..<4).map { try run.object($0)["seq"] as? Int } == [1, 2, 3, 4])
    #expect(run.lines.count == 4)
    for (arguments, value) in [
      (["--at", "2"], 2), ([], 0), (["--at", "0"], 0), (["--at", "-2"], 2),
    ] {
      let export = try await shell.refold(["export", "s1"] + arguments)
      let state = try #require(try export.object()["state"] as? [String: Int])
      #expect(state == ["value": value], "export s1 \(arguments)")
    }
  }

  @Test func running_again_continues_where_it_was() async throws {
    try await shell.refold("run", "counter", "--session", "s", input: #"{"increase":{"by":2}}"#)
    let again = try await shell.refold(
      "run", "counter", "--session", "s", input: #"{"increase":{"by":3}}"#)
    #expect(try again.object()["seq"] as? Int == 3)
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(state == ["value": 5])
  }

  @Test func without_a_name_it_makes_a_new_session_and_says_which() async throws {
    let first = try await shell.refold("run", "counter", input: "\"reset\"\n")
    #expect(first.error == "session counter-1\n")
    let second = try await shell.refold("run", "counter", input: "\"reset\"\n")
    #expect(second.error == "session counter-2\n")
    #expect(try await shell.refold("export", "@last").object()["session"] as? String == "counter-2")
  }

  @Test func each_emission_prints_its_own_lines() async throws {
    let input = #"{"increase":{"by":2}}"# + "\n\"reset\"\n\"reset\"\n"
    let expected = [
      "states": [
        #"{"seq":2,"state":{"value":2}}"#, #"{"seq":4,"state":{"value":0}}"#,
        #"{"seq":5,"state":{"value":0}}"#,
      ],
      "diffs": [
        #"{"seq":2,"patch":[{"op":"replace","path":"/value","value":2}]}"#,
        #"{"seq":4,"patch":[{"op":"replace","path":"/value","value":0}]}"#,
        #"{"seq":5,"patch":[]}"#,
      ],
      "acks": [
        #"{"line":1,"seq":1,"version":2}"#, #"{"line":2,"seq":3,"version":4}"#,
        #"{"line":3,"seq":5,"version":5}"#,
      ],
      "none": [],
    ]
    for (emission, lines) in expected {
      let run = try await shell.refold(
        "run", "counter", "--session", emission, "--emit", emission, input: input)
      #expect(run.lines == lines)
    }
  }

  @Test func blank_lines_carriage_returns_and_a_byte_order_mark_are_fine() async throws {
    let run = try await shell.refold(
      "run", "counter", "--session", "s", "--emit", "acks",
      input: "\u{FEFF}{\"increase\":{\"by\":1}}\r\n\r\n\n  \"reset\"  \r\n{\"increase\":{\"by\":3}}"
    )
    #expect(run.code == 0)
    #expect(try (0..<3).map { try run.object($0)["line"] as? Int } == [1, 4, 5])
    let log = try await shell.refold("log", "s", "--json")
    #expect(try log.object(2)["payload"] as? String == "reset")
  }

  @Test func another_reactor_than_the_sessions_is_refused() async throws {
    try await shell.refold("run", "counter", "--session", "s", input: "\"reset\"")
    let run = try await shell.refold("run", "editor", "--session", "s")
    #expect(run.code == 64)
    #expect(
      run.error
        == "refold: session s belongs to reactor counter, not editor. Choose another session, or run counter.\n"
    )
  }

  @Test func settings_that_a_reactor_does_not_know_are_refused() async throws {
    let run = try await shell.refold("run", "counter", "--set", "user=u1")
    #expect(run.code == 64)
    #expect(run.error.contains("reactor counter has no settings"))
  }

  @Test func an_overflowing_sum_is_a_failed_effect_that_names_its_action() async throws {
    let run = try await shell.refold(
      "run", "counter", "--session", "s",
      input: "{\"increase\":{\"by\":9223372036854775807}}\n{\"increase\":{\"by\":1}}\n")
    #expect(run.code == 0)
    #expect(try run.object(3)["kind"] as? String == "failed")
    #expect(try run.object(3)["cause"] as? Int == 3)
    #expect(run.error.contains("the effect of action 3 failed: 9223372036854775807 + 1"))
  }
}
