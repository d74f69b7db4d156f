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
