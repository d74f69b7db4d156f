import Foundation
import Testing

@Suite("A fork", .timeLimit(.minutes(5)))
struct ForkTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func record() async throws {
    try await shell.refold(
      "run", "counter", "--session", "s1", "--emit", "none",
      input: "{\"increase\":{\"by\":2}}\n\"reset\"\n{\"increase\":{\"by\":5}}\n")
  }

  @Test func shares_the_past_and_goes_its_own_way() async throws {
    try await record()
    let log = try await shell.refold("log", "s1", "--json").output
    let digest = try await shell.refold("export", "s1").object()["digest"] as? String
    let fork = try await shell.refold("fork", "s1", "--at", "2", "--session", "s2")
    #expect(fork.code == 0)
    #expect(fork.error.isEmpty)
    #expect(fork.output.hasPrefix("forked session s2 from s1 at 2, digest "))
    let states = try await shell.refold(
      "run", "counter", "--session", "s2", "--emit", "states", input: "{\"increase\":{\"by\":1}}\n")
    #expect(states.lines == [#"{"seq":4,"state":{"value":3}}"#])
    #expect(try await shell.refold("log", "s1", "--json").output == log)
    #expect(try await shell.refold("export", "s1").object()["digest"] as? String == digest)
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func is_named_after_its_session_where_nobody_names_it() async throws {
    try await record()
    for number in 1...2 {
      let fork = try await shell.refold("fork", "@last")
      #expect(fork.errorLines == ["session s1-fork-\(number)"])
    }
    let json = try await shell.refold("fork", "s1-fork-2", "--at", "1", "--json")
    #expect(try json.object()["session"] as? String == "s1-fork-2-fork-1")
    #expect(try json.object()["parentSeq"] as? Int == 1)
    let sessions = try await shell.refold("sessions", "--json")
    let parents = try (0..<4).map { try sessions.object($0)["parent"] as? String }
    #expect(parents == [nil, "s1", "s1", "s1-fork-2"])
    #expect(try await shell.refold("sessions").output.contains("forked from s1-fork-2 at 1"))
  }

  @Test func at_0_has_the_initial_state_and_at_the_end_all_of_it() async throws {
    try await record()
    try await shell.refold("fork", "s1", "--at", "0", "--session", "empty")
    try await shell.refold("fork", "s1", "--session", "whole")
    #expect(try await shell.refold("export", "empty").output.contains(#""state":{"value":0}"#))
    let (whole, original) = (
      try await shell.refold("export", "whole").object()["digest"] as? String,
      try await shell.refold("export", "s1").object()["digest"] as? String
    )
    #expect(whole == original)
    #expect(try await shell.refold("log", "empty").output.isEmpty)
  }

  @Test func of_a_fork_is_exported_with_its_whole_past() async throws {
    try await record()
    try await shell.refold("fork", "s1", "--at", "4", "--session", "s2")
    try await shell.refold("fork", "s2", "--at", "3", "--session", "s3")
    let copy = try await shell.bash(
      "refold export s3 --as log | refold import - --store copy.sqlite")
    #expect(copy.code == 0)
    #expect(copy.output.hasPrefix("imported session s3: 3 events"))
  }

  @Test func goes_on_as_the_session_did_but_for_an_action_that_is_left_out() async throws {
    try await record()
    let log = try await shell.refold("log", "s1", "--json").output
    let fork = try await shell.refold("fork", "s1", "--skip", "3", "--session", "s2")
    #expect(fork.code == 0)
    #expect(fork.output == "the states at 6 of s1 and 4 of s2 differ\n~ /value: 5 -> 7\n")
    #expect(
      fork.errorLines == [
        "session s2, forked from s1 at 2: 1 action sent again, 1 left out, 0 differences"
      ])
    #expect(try await shell.refold("log", "s1", "--json").output == log)
    #expect(try await shell.refold("verify").code == 0)
    let first = try await shell.refold("fork", "s1", "--skip", "1,5")
    #expect(
      first.output == """
        event 3, now 1, "reset": gives other mutations
          - {"setValue":{"_0":0}}
        the states at 6 of s1 and 1 of s1-fork-1 differ
        ~ /value: 5 -> 0

        """)
  }

  @Test func says_in_json_what_was_and_what_is() async throws {
    try await record()
    let fork = try await shell.refold(
      "fork", "s1", "--replace", #"5={"increase":{"by":6}}"#, "--skip", "1", "--json")
    #expect(fork.code == 0, "\(fork.error)")
    #expect(
      fork.lines.dropLast() == [
        #"{"old":3,"new":1,"payload":"reset","what":"decision","was":[{"setValue":{"_0":0}}],"is":[]}"#,
        #"{"old":5,"new":2,"payload":{"increase":{"by":5}},"#
          + #""replacedBy":{"increase":{"by":6}},"what":"decision","was":[{"add":{"_0":5}}],"is":[{"add":{"_0":6}}]}"#,
      ])
    let end = try fork.object(2)
    #expect(end["session"] as? String == "s1-fork-1")
    #expect(end["parent"] as? String == "s1")
    #expect(end["parentSeq"] as? Int == 0)
    #expect(end["until"] as? Int == 6)
    #expect(end["events"] as? Int == 3)
    #expect(end["sent"] as? Int == 2)
    #expect(end["leftOut"] as? Int == 1)
    #expect((end["patch"] as? [[String: Any]])?.first?["value"] as? Int == 6)
  }

  @Test func up_to_inside_a_first_step_goes_to_its_end_from_the_very_beginning() async throws {
    try await record()
    let fork = try await shell.refold("fork", "s1", "--until", "5")
    #expect(fork.output == "the states at 6 of s1 and 6 of s1-fork-1 are the same\n")
    #expect(
      fork.errorLines == [
        "session s1-fork-1, forked from s1 at 0: 3 actions sent again, 0 left out, 0 differences; "
          + "--until 5 is inside a first step, which ends at 6"
      ])
  }

  @Test func with_changes_that_cannot_be_made_is_not_made() async throws {
    try await record()
    for (arguments, code) in [
      (["--skip", "2"], Int32(65)), (["--skip", "9"], 65), (["--skip", "1", "--at", "4"], 65),
      (["--skip", "5", "--until", "3"], 65), (["--replace", "1={\"x\":1}"], 65),
      (["--skip", "x"], 64), (["--skip", "1,"], 64), (["--skip", "0"], 64),
      (["--skip", "1", "--replace", "1=\"reset\""], 64), (["--replace", "1"], 64),
    ] {
      let refused = try await shell.refold(["fork", "s1"] + arguments)
      #expect(refused.code == code, "\(arguments): \(refused.error)")
      #expect(refused.output.isEmpty)
    }
    #expect(try await shell.refold("sessions", "--json").lines.count == 1)
  }

  @Test func of_what_is_not_there_or_under_a_name_that_is_taken_is_refused() async throws {
    try await record()
    let sessions = try await shell.refold("sessions", "--json").output
    for (arguments, code) in [
      (["fork", "s1", "--session", "s1"], Int32(65)), (["fork", "s1", "--at", "7"], 65),
      (["fork", "nobody"], 66), (["fork", "s1", "--session", "-x"], 64),
      (["fork", "s1", "--session=@x"], 64), (["fork", "s1", "--at", "soon"], 64), (["fork"], 64),
      (["fork", "s1", "--store", shell.path("none.sqlite")], 66),
    ] {
      let refused = try await shell.refold(arguments)
      #expect(refused.code == code, "\(arguments): \(refused.error)")
      #expect(refused.output.isEmpty)
    }
    #expect(try await shell.refold("sessions", "--json").output == sessions)
    #expect(!FileManager.default.fileExists(atPath: shell.path("none.sqlite")))
  }
}
