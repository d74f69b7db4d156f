import EventStoreTesting
import Foundation
import JSONTree
import Testing

/// Names, ids, patterns and texts that would be something else in SQL, in a path or in a shell.
@Suite("Hostile words", .timeLimit(.minutes(Trials.minutes(10))))
struct HostileWordsTests {
  static let names = [
    "'; DROP TABLE events; --", "\" OR 1=1 --", "../../etc/passwd", "/etc/passwd", "a\\b",
    "$(touch stolen)", "`touch stolen`", "%s%n", "?1", "x' UNION SELECT * FROM sessions --",
    String(repeating: "é", count: 127), "NULL, NULL", "*", "..",
  ]

  private static let commands: [[String]] = [
    ["log", "S"], ["show", "S", "1"], ["replay", "S"], ["diff", "S", "0", "end"], ["blame", "S"],
    ["blame", "S", "/S"], ["bisect", "S", "/text = \"S\""], ["search", "S", "S"],
    ["search", "S", "S", "--state"], ["export", "S"], ["export", "S", "--as", "log"],
    ["export", "S", "--as", "csv", "--columns", "/S"], ["export", "S", "--as", "html"],
    ["fork", "S", "--at", "1", "--session", "fork of S"], ["verify", "S"], ["check", "S"],
    ["run", "S"], ["init", "S"], ["export", "S", "--at", "S"], ["help", "S"], ["S"],
  ]

  @Test func are_nothing_but_text_to_any_command() async throws {
    let shell = try Shell()
    var ran = 0
    for (index, name) in Self.names.enumerated() {
      let edit: JSONValue = ["edit": ["at": 0, "delete": 0, "insert": .string(name)]]
      let envelope: JSONValue = [
        "id": .string(name + "\0" + name), "session": .string(name), "action": edit,
      ]
      let line = envelope.description + "\n"
      let run = try await shell.refold(
        ["run", "editor", "--envelope", "--emit", "acks"], input: Array((line + line).utf8))
      #expect(run.code == 0 && run.lines.count == 2, "\(name): \(run.error)")
      let state = try await shell.refold("export", name).object()
      #expect((state["session"] as? String)?.utf8.elementsEqual(name.utf8) == true)
      #expect(state["seq"] as? Int == 2, "the same id is delivered once")
      let chosen = Self.commands.indices.filter { Trials.isLong || ($0 + index).isMultiple(of: 4) }
      for command in chosen.map({ Self.commands[$0] }) {
        let words = command.map { $0.replacingOccurrences(of: "S", with: name) }
        let result = try await shell.refold(words)
        #expect([0, 1, 64, 65, 66].contains(result.code), "\(words): \(result.error)")
        ran += 1
      }
    }
    let sessions = try await shell.refold("sessions", "--json")
    #expect(sessions.lines.count >= Self.names.count)
    #expect(try await shell.refold("verify").code == 0)
    let left = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
    #expect(
      left.filter { !$0.hasPrefix("out-") && !$0.hasPrefix("stdin-") }.sorted()
        == ["refold.sqlite", "refold.sqlite-lock"])
    Figures.note(
      "Hostile input", "names, ids and texts", [("names", Self.names.count), ("commands", ran)])
  }

  /// A file beside the one that is written must not be where somebody else's link leads.
  @Test func a_link_in_the_place_of_a_file_is_not_followed_to_make_one() async throws {
    let shell = try Shell()
    let result = try await shell.bash(
      #"""
      echo mine > victim; echo '"reset"' | refold run counter --session s --emit none
      ln -s "$PWD/victim" refold.sqlite-key
      echo '{"googleLoginCompleted":{"idToken":"google-u1"}}' \
        | refold run login --session l --emit none --rejects rejects
      echo "key $?"; cat victim; rm refold.sqlite-lock; ln -s "$PWD/nowhere" refold.sqlite-lock
      echo '"reset"' | refold run counter --session s --emit none; echo "lock $?"; ls nowhere
      """#)
    #expect(result.lines.contains("mine") && result.lines.contains("lock 69"), "\(result.output)")
    #expect(!result.lines.contains("key 0"), "\(result.output)")
    #expect(result.error.contains("is a symbolic link"), "\(result.error)")
  }

  @Test func what_is_written_is_for_its_owner_alone_whatever_the_umask() async throws {
    let shell = try Shell()
    let result = try await shell.bash(
      #"""
      umask 0; echo bad | refold run counter --session s --emit none --rejects rejects 2> /dev/null
      echo '{"googleLoginCompleted":{"idToken":"google-u1"}}' | refold run login --emit none 2> /dev/null
      for f in state log html csv; do refold export s --as $f -o out.$f; done
      stat -c '%a %n' refold.sqlite* rejects out.state out.log out.html out.csv
      """#)
    #expect(result.lines.count >= 6, "\(result.output)")
    for line in result.lines { #expect(line.hasPrefix("600 "), "\(line)") }
  }
}
