import Foundation
import JSONTree
import Testing

/// `script` of util-linux gives a command a terminal.
@Suite(
  "Hostile text on a terminal", .timeLimit(.minutes(5)),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/script"), "script is not installed"))
struct HostileTerminalTests {
  private static let text =
    "a\u{1B}[2J\u{1B}[31mb\u{7}\u{0}\u{9B}31m\u{202E}c\u{2066}\u{2028}\u{FEFF}\r\u{8}\u{7F}"
  private static let name = "s\u{202E}\u{2066}\u{2028}"

  private static let commands = [
    "log S", "log S --json", "show S 2", "show S 2 --json", "diff S 0 end", "diff S 0 end --json",
    "blame S", "blame S --json", "blame S /text", "blame S /text --json", "blame S /text --history",
    "blame S /text --history --json", "bisect S '/length > 2'", "bisect S '/length > 2' --json",
    "bisect S '/length > 2' --all", "bisect S '/length > 2' --all --json", "search S c",
    "search S c --json", "search S c --state", "search S c --state --json", "sessions",
    "sessions --json", "verify S", "verify S --json", "check S", "check S --json", "export S",
    "export S --as states", "export S --as log", "export S --as csv",
    "export S --as csv --columns /text", "export S --as csv --columns /text -o /dev/tty",
    "export S --as html", "screen S", "screen S --json", "replay S --emit events",
    "replay S --emit states", "replay S --emit diffs", "fork S", "fork S --json",
    "fork S --skip 1", "fork S --skip 1 --json", "log X", "show S X", "export S --as X",
  ]

  @Test func no_command_hands_a_terminal_what_it_would_act_on() async throws {
    let shell = try Shell()
    let actions = [Self.text, "\u{2029}\u{85}plain"].map { text in
      let edit: JSONValue = ["edit": ["at": 0, "delete": 0, "insert": .string(text)]]
      return edit.description + "\n"
    }
    let run = try await shell.refold(
      "run", "editor", "--session", Self.name, "--emit", "none", input: actions.joined())
    #expect(run.code == 0, "\(run.error)")
    var seen = ""
    for command in Self.commands {
      let words = command.replacingOccurrences(of: " S", with: " \"$S\"")
        .replacingOccurrences(of: " X", with: " \"$X\"")
      try shell.write("#!/bin/bash\n\"$REFOLD\" \(words)\n", to: "one.sh")
      // The names are read from files: not every locale's shell quotes such text alike.
      try shell.write(Self.name, to: "name")
      try shell.write(Self.text.replacingOccurrences(of: "\0", with: ""), to: "text")
      let result = try await shell.bash(
        "export S=\"$(cat name)\" X=\"$(cat text)\"; "
          + "script -qec 'bash one.sh' /dev/null | sed 's/\\r$//'")
      let found = Self.dangers(result.output)
      #expect(!result.output.isEmpty, "\(command) printed nothing")
      #expect(found.isEmpty, "\(command) wrote \(found)")
      seen += result.output
    }
    #expect(seen.contains("\u{1B}[32mok\u{1B}[0m"), "our own colours are still there")
    #expect(seen.contains("\\u202e") && seen.contains("\\u{202e}") && seen.contains("\\u001b[2J"))
  }

  /// What a terminal would act on, but for line feeds and the colours that the tool writes.
  private static func dangers(_ output: String) -> Set<String> {
    let plain = output.replacing(#/\u{1B}\[(?:0|1|2|7|3[1-6])m/#, with: "")
    let found = plain.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .format: scalar != "\n"
      default: false
      }
    }
    return Set(found.map { String($0.value, radix: 16) })
  }

  @Test func a_pipe_gets_the_text_as_it_is() async throws {
    let shell = try Shell()
    let edit: JSONValue = ["edit": ["at": 0, "delete": 0, "insert": .string(Self.text)]]
    try await shell.refold(
      "run", "editor", "--session", "s", "--emit", "none", input: edit.description + "\n")
    let rows = try await shell.refold("export", "s", "--as", "csv", "--columns", "/text")
    #expect(rows.output.utf8.contains(0x1B) && rows.output.unicodeScalars.contains("\u{202E}"))
  }
}
