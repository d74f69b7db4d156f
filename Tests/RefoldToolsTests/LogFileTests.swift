import Foundation
import Testing

@Suite("An exported log")
struct LogFileTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  func record() async throws {
    try await shell.refold(
      "run", "counter", "--session", "s", "--envelope", "--emit", "none",
      input: """
        {"id":"a","action":{"increase": {"by": 2}}}
        {"action":"reset"}
        {"id":"ü\\u0000","action":{"increase":{"by":40}}}

        """)
  }

  @Test func is_the_same_in_another_store_event_for_event_and_digest_for_digest() async throws {
    try await record()
    let copied = try await shell.bash(
      "refold export s --as log | refold import - --store copy.sqlite")
    #expect(copied.code == 0, "\(copied.error)")
    for command in [["log", "s", "--json"], ["export", "s"], ["export", "s", "--as", "log"]] {
      let original = try await shell.refold(command)
      let copy = try await shell.refold(command + ["--store", shell.path("copy.sqlite")])
      #expect(original.output == copy.output)
      #expect(original.code == 0)
    }
    #expect(try await shell.refold("verify").code == 0)
    #expect(try await shell.refold("verify", "--store", shell.path("copy.sqlite")).code == 0)
  }

  @Test func brings_its_deliveries_along() async throws {
    try await record()
    try await shell.bash("refold export s --as log | refold import - --store copy.sqlite")
    let again = try await shell.refold(
      "run", "counter", "--session", "s", "--envelope", "--emit", "acks", "--store",
      shell.path("copy.sqlite"), input: #"{"id":"a","action":{"increase":{"by":2}}}"#)
    #expect(again.lines == [#"{"session":"s","line":1,"seq":1,"version":6}"#])
  }

  @Test func takes_another_name_where_its_own_is_taken() async throws {
    try await record()
    let clash = try await shell.bash("refold export s --as log | refold import -")
    #expect(clash.code == 65)
    #expect(clash.error.contains("--session NEW"))
    let named = try await shell.bash("refold export s --as log | refold import - --session t")
    #expect(named.code == 0)
    let digests = try await shell.refold("sessions", "--json")
    #expect(try digests.object(0)["digest"] as? String == digests.object(1)["digest"] as? String)
  }

  @Test func imports_nothing_when_it_was_cut_off_or_altered() async throws {
    try await record()
    try await shell.refold("export", "s", "--as", "log", "-o", shell.path("log"))
    let whole = try shell.read("log")
    let lines = String(decoding: whole, as: UTF8.self).split(separator: "\n").map(String.init)
    var altered = [
      "a missing end": lines.dropLast().joined(separator: "\n"),
      "a missing event": (lines[..<3] + lines[4...]).joined(separator: "\n"),
      "swapped events": ([lines[0], lines[2], lines[1]] + lines[3...]).joined(separator: "\n"),
      "another payload": String(decoding: whole, as: UTF8.self)
        .replacingOccurrences(of: "40", with: "41"),
      "another reactor": String(decoding: whole, as: UTF8.self)
        .replacingOccurrences(of: "\"counter\"", with: "\"editor\""),
      "a name that cannot be one": String(decoding: whole, as: UTF8.self)
        .replacingOccurrences(of: "\"s\"", with: "\"@s\""),
      "no log": "{}\n", "nothing": "",
    ]
    for cut in [1, whole.count / 3, whole.count - 2] {
      altered["cut at \(cut)"] = String(decoding: whole[..<cut], as: UTF8.self)
    }
    for (what, text) in altered {
      let file = try shell.write(text, to: "altered")
      let result = try await shell.refold("import", file, "--store", shell.path("empty.sqlite"))
      #expect(result.code == 65, "\(what): \(result.error)")
      #expect(result.error.contains("altered"), "\(what) names the file: \(result.error)")
      let sessions = try await shell.refold("sessions", "--store", shell.path("empty.sqlite"))
      #expect(sessions.output.isEmpty, "\(what) imported something")
    }
  }

  @Test func of_a_position_ends_in_that_positions_digest() async throws {
    try await record()
    let log = try await shell.refold("export", "s", "--as", "log", "--at", "3")
    let state = try await shell.refold("export", "s", "--at", "3").object()
    #expect(try log.object(4)["digest"] as? String == state["digest"] as? String)
    #expect(log.lines.count == 5)
  }

  @Test func states_are_a_line_an_event_or_fewer() async throws {
    try await record()
    let all = try await shell.refold("export", "s", "--as", "states")
    #expect(all.lines.count == 6)
    #expect(all.lines[1] == #"{"seq":2,"state":{"value":2}}"#)
    let some = try await shell.refold("export", "s", "--as", "states", "--every", "4")
    #expect(try (0..<2).map { try some.object($0)["seq"] as? Int } == [4, 6])
    #expect(some.lines.count == 2)
  }
}
