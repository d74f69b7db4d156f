import Foundation
import Testing

@Suite(
  "The terminal", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Tmux.isThere, "tmux is not installed: no terminal to look at"))
struct TerminalTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  /// Opens the screen from a shell that notes the terminal's settings before and after.
  private func open(_ words: String = "replay s1") async throws -> Tmux {
    let terminal = try await Tmux(shell, columns: 80, rows: 12)
    try await terminal.run(
      "stty -a > before; sh -c 'echo $$ > pid; exec \"$REFOLD\" \(words)'; "
        + "echo left with $?; stty -a > after")
    return terminal
  }

  private func expectRestored(_ terminal: Tmux, code: Int) async throws {
    try await terminal.waitForShell(below: "left with \(code)")
    #expect(try shell.read("before") == shell.read("after"))
    #expect(try await terminal.value("alternate_on") == "0")
    #expect(try await terminal.value("cursor_flag") == "1")
    #expect(try await terminal.value("wrap_flag") == "1")
    try await terminal.run("echo still $((40 + 2)) here")
    try await terminal.wait(for: "still 42 here")
  }

  @Test(arguments: [("q", 0), ("C-c", 130)])
  func is_as_it_was_after_a_key_that_leaves(_ key: String, _ code: Int) async throws {
    try shell.record("s1", Shell.counted)
    let terminal = try await open()
    try await terminal.wait(for: "12/12")
    #expect(try await terminal.value("alternate_on") == "1")
    #expect(try await terminal.value("cursor_flag") == "0")
    try await terminal.press(key)
    try await expectRestored(terminal, code: code)
  }

  @Test(arguments: [("TERM", 143), ("HUP", 129), ("INT", 130), ("SEGV", 139), ("ABRT", 134)])
  func is_as_it_was_after_a_signal(_ signal: String, _ code: Int) async throws {
    try shell.record("s1", Shell.counted)
    let terminal = try await open()
    try await terminal.wait(for: "12/12")
    try await shell.bash("ulimit -c 0; kill -\(signal) $(cat pid)")
    try await expectRestored(terminal, code: code)
  }

  @Test func is_as_it_was_after_an_error_on_the_way() async throws {
    try shell.record("s1", Shell.counted)
    let terminal = try await open()
    try await terminal.wait(for: "12/12")
    try await shell.bash("sqlite3 refold.sqlite 'DROP TABLE events'")
    try await terminal.press("k")
    try await terminal.wait(for: "refold: ", "left with")
    #expect(try await terminal.value("alternate_on") == "0")
    #expect(try shell.read("before") == shell.read("after"))
  }

  @Test func an_event_that_cannot_be_read_is_told_and_the_rest_can_be_looked_at() async throws {
    try shell.record("s1", Shell.counted + [(.mutation, 0, 3_800_000, #"{"unheard":{}}"#)])
    let terminal = try await open()
    try await terminal.wait(for: "13/13", "event 13 of session s1, a mutation")
    try await terminal.press("k", "k")
    try await terminal.wait(for: "11/13", "value: 21")
    try await terminal.press("q")
    try await expectRestored(terminal, code: 0)
  }

  @Test func is_given_back_while_the_screen_is_suspended() async throws {
    try shell.record("s1", Shell.counted)
    let terminal = try await Tmux(shell, columns: 80, rows: 12)
    try await terminal.run("\"$REFOLD\" replay s1")
    try await terminal.wait(for: "12/12", "value: 21")
    try await terminal.press("C-z")
    try await terminal.wait(for: "Stopped")
    #expect(try await terminal.value("alternate_on") == "0")
    try await terminal.run("fg")
    try await terminal.wait(for: "12/12", "value: 21")
    try await terminal.press("k")
    try await terminal.wait(for: "11/12")
    try await terminal.press("q")
    try await terminal.wait(for: "ready>")
  }

  @Test func shows_nothing_of_a_log_that_it_would_act_on() async throws {
    let hostile = [
      #"\u001b[31mred\u001b]0;title\u0007"#, #"\u009b31m\u202ereversed\u2066"#,
      #"\r\n\t\b\u0000end"#, #"語👍한국어é"#,
    ]
    var events: [Shell.Recorded] = []
    for (index, text) in hostile.enumerated() {
      let action = UInt32(2 * index + 1)
      let splice = #"{"at":0,"delete":0,"insert":"\#(text)"}"#
      events.append((.action, 0, Int64(index), #"{"edit":\#(splice)}"#))
      events.append((.mutation, action, Int64(index), #"{"splice":\#(splice)}"#))
    }
    events.append((.action, 0, 9, "{\"edit\":\"\u{1B}[31mraw \u{9B}1m \u{202E}\"}"))
    try shell.record("s1", reactor: "editor", events)
    let terminal = try await open()
    try await terminal.wait(for: "9/9", "text:")
    for key in ["2", "3", "1", "Tab", "j", "j", "Enter"] {
      try await terminal.press(key)
      try await expectHarmless(terminal)
    }
    try await terminal.wait(for: "/text", "語👍한국어é")
    try await expectHarmless(terminal)
    #expect(try await terminal.value("pane_title") != "title")
  }

  /// tmux writes the sequences of styles that it understood; whatever else is one comes from the log.
  private func expectHarmless(_ terminal: Tmux) async throws {
    let screen = try await terminal.coloredScreen()
    let rest = screen.replacing(#/\x1b\[[0-9;]*m|\x0f|\x0e/#, with: "")
    for scalar in rest.unicodeScalars where scalar != "\n" {
      #expect(
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value),
        "U+\(String(scalar.value, radix: 16)) in:\n\(rest)")
      let isBidi =
        (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
      #expect(!isBidi)
    }
  }

  @Test func keys_come_from_the_terminal_where_standard_input_is_a_file() async throws {
    try shell.record("s1", Shell.counted)
    let terminal = try await open("replay s1 < /dev/null")
    try await terminal.wait(for: "12/12")
    try await terminal.press("k")
    try await terminal.wait(for: "11/12")
    try await terminal.press("q")
    try await expectRestored(terminal, code: 0)
  }

  @Test func lines_are_printed_where_the_terminal_is_too_simple_or_lines_are_asked_for()
    async throws
  {
    try shell.record("s1", Array(Shell.counted.prefix(2)))
    let terminal = try await Tmux(shell, columns: 120, rows: 12)
    try await terminal.run("TERM=dumb \"$REFOLD\" replay s1")
    try await terminal.wait(for: "cannot move its cursor", "\"seq\":2")
    try await terminal.run("clear; \"$REFOLD\" replay s1 --emit states; echo over")
    try await terminal.wait(for: "{\"seq\":2,\"state\":{\"value\":2}}", "over")
  }
}
