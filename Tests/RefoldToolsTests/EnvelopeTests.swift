import Foundation
import Testing

@Suite("Envelopes")
struct EnvelopeTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  func run(_ lines: String..., session: String? = "s") async throws -> Shell.Result {
    let named = session.map { ["--session", $0] } ?? []
    return try await shell.refold(
      ["run", "counter", "--envelope", "--emit", "acks"] + named,
      input: Array(lines.joined(separator: "\n").utf8))
  }

  @Test func the_same_envelope_twice_is_acknowledged_twice_and_executed_once() async throws {
    let line = #"{"id":"cmd-1","action":{"increase":{"by":2}}}"#
    let reordered = #"{"action":{"increase": {"by": 2.0}}, "id":"cmd-1"}"#
    let once = try await run(line, line, reordered)
    #expect(once.code == 0)
    let seqs = try (0..<3).map { try once.object($0)["seq"] as? Int }
    #expect(seqs == [1, 1, 1])
    let again = try await run(line)
    #expect(try again.object()["seq"] as? Int == 1)
    #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 2)
  }

  @Test func what_is_wrong_is_told_in_few_words_however_long_it_is() async throws {
    let long = String(repeating: "x", count: 60_000)
    let result = try await run(
      #"{"\#(long)":1}"#, #"{"session":"\#(long)","action":"reset"}"#,
      #"{"id":"\#(long)","action":"reset"}"#, #"{"id":"\#(long)","action":{"increase":{"by":1}}}"#)
    #expect(result.code == 65)
    #expect(result.error.contains("line 1: the envelope has an unknown key \"xxx"))
    #expect(result.error.contains("line 2: ") && result.error.contains("cannot name a session"))
    #expect(result.error.contains("line 4: id \"xxx"))
    #expect(result.error.utf8.count < 3000)
    try await shell.refold("export", "s", "--as", "log", "-o", shell.path("log"))
    let log = String(decoding: try shell.read("log"), as: UTF8.self)
    let altered = try shell.write(
      log.replacingOccurrences(of: "\"kind\"", with: "\"\(long)\":1,\"kind\""), to: "altered")
    let imported = try await shell.refold("import", altered, "--session", "t")
    #expect(imported.code == 65 && imported.error.utf8.count < 1000)
    #expect(imported.error.contains("altered, line 2: an event has no \"xxx"), "\(imported.error)")
  }

  @Test func the_same_id_with_another_action_is_refused() async throws {
    let first = try await run(#"{"id":"cmd-1","action":{"increase":{"by":2}}}"#)
    #expect(first.code == 0)
    let other = try await run(
      #"{"id":"cmd-1","action":{"increase":{"by":3}}}"#, #"{"id":"cmd-2","action":"reset"}"#)
    #expect(other.code == 65)
    #expect(
      other.error.hasPrefix(
        #"line 1: id "cmd-1" was delivered before with another action, at seq 1"#))
    #expect(try other.object()["line"] as? Int == 2)
    let both = try await run(
      #"{"id":"cmd-3","action":"reset"}"#, #"{"id":"cmd-3","action":{"increase":{"by":3}}}"#)
    #expect(both.code == 65)
    #expect(both.lines.count == 1)
  }

  @Test func an_id_that_is_too_long_is_a_bad_line_and_its_neighbours_are_fine() async throws {
    let long = String(repeating: "L", count: 70_000)
    let result = try await run(
      #"{"id":"a","action":"reset"}"#, "{\"id\":\"\(long)\",\"action\":\"reset\"}",
      #"{"id":"b","action":"reset"}"#)
    #expect(result.code == 65)
    #expect(result.error == "line 2: the envelope's id has 70000 bytes, expected 1 to 65536\n")
    #expect(result.lines.count == 2)
  }

  @Test func a_repeated_acknowledgement_names_the_version_of_the_moment() async throws {
    let first = try LiveRun(
      shell, ["run", "counter", "--session", "s", "--envelope", "--emit", "acks"])
    try first.send(#"{"id":"a","action":{"increase":{"by":1}}}"# + "\n")
    await first.waitForLines(1)
    _ = try await run(
      #"{"id":"b","action":{"increase":{"by":1}}}"#, #"{"id":"c","action":{"increase":{"by":1}}}"#)
    try first.send(#"{"id":"c","action":{"increase":{"by":1}}}"# + "\n")
    await first.waitForLines(2)
    #expect(first.output.last == #"{"session":"s","line":2,"seq":5,"version":6}"#)
    try first.endInput()
    #expect(await first.wait() == 0)
  }

  @Test func a_repeated_delivery_gives_no_events() async throws {
    let line = #"{"id":"a","action":{"increase":{"by":2}}}"# + "\n"
    try await shell.refold("run", "counter", "--envelope", "--session", "s", input: line)
    let again = try await shell.refold(
      "run", "counter", "--envelope", "--session", "s", input: line)
    #expect(again.output.isEmpty)
    #expect(again.code == 0)
  }

  @Test func envelopes_choose_their_sessions() async throws {
    let result = try await run(
      #"{"session":"a","action":{"increase":{"by":1}}}"#,
      #"{"session":"b","action":{"increase":{"by":2}}}"#,
      #"{"session":"a","action":{"increase":{"by":4}}}"#, session: nil)
    #expect(result.code == 0)
    #expect(result.error.isEmpty)
    let value = { (name: String) async throws -> [String: Int]? in
      try await shell.refold("export", name).object()["state"] as? [String: Int]
    }
    #expect(try await value("a") == ["value": 5])
    #expect(try await value("b") == ["value": 2])
    let sessions = try result.lines.indices.map { try result.object($0)["session"] as? String }
    #expect(Set(sessions) == ["a", "b"])
  }

  @Test func what_is_wrong_with_an_envelope_is_said() async throws {
    let cases = [
      (#"{"increase":{"by":2}}"#, #"unknown key "increase""#), (#"{"id":"x"}"#, "has no action"),
      (#"{"id":7,"action":"reset"}"#, "id is not a string"), (#""reset""#, "expected {"),
      (#"{"id":"","action":"reset"}"#, "id has 0 bytes, expected 1 to 65536"),
      (#"{"id":"a","id":"b","action":"reset"}"#, #"the key "id" twice"#),
      (#"{"session":"@x","action":"reset"}"#, "starts with @ or -"),
    ]
    for (line, reason) in cases {
      let result = try await run(line)
      #expect(result.code == 65, "\(line)")
      #expect(result.error.contains(reason), "\(line): \(result.error)")
    }
  }
}

@Suite("Sessions of one run", .timeLimit(.minutes(5)))
struct SessionsOfOneRunTests {
  @Test func hear_nothing_of_each_other() async throws {
    let shell = try Shell()
    let run = try await shell.refold(
      "run", "home", "--envelope", "--sequential", "--set", "user=u1", "--emit", "none",
      input: """
        {"session":"a","action":"fetchPostList"}
        {"session":"b","action":"fetchPostList"}
        {"session":"a","action":{"toggleLike":{"postID":"p1","isLiked":true}}}

        """)
    #expect(run.code == 0, "\(run.error)")
    #expect(try await shell.refold("log", "a").output.contains("setLikeSettled"))
    #expect(try await !shell.refold("log", "b").output.contains("setLikeSettled"))
  }
}
