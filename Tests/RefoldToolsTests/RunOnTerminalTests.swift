import Foundation
import Testing

/// In a pipe the hint is not there: RunTests compares the whole of standard error.
@Suite(
  "run on a terminal", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Tmux.isThere, "tmux is not installed: no terminal to type on"))
struct RunOnTerminalTests {
  @Test func says_that_it_waits_for_actions_how_they_look_and_what_ends_it() async throws {
    let terminal = try await Tmux(Shell(), columns: 110)
    try await terminal.run("\"$REFOLD\" run counter --emit states; echo left with $?")
    try await terminal.wait(
      for: "session counter-1",
      "reading actions from the terminal, one a line; Ctrl-D ends. "
        + #"For example: {"increase":{"by":"#)
    try await terminal.run(#"{"increase":{"by":2}}"#)
    try await terminal.wait(for: #"{"seq":2,"state":{"value":2}}"#)
    try await terminal.press("C-d")
    try await terminal.waitForShell(below: "left with 0")
  }

  @Test func shows_an_envelope_where_it_expects_envelopes() async throws {
    let terminal = try await Tmux(Shell(), columns: 130)
    try await terminal.run("\"$REFOLD\" run counter --envelope; echo left with $?")
    try await terminal.wait(
      for: #"For example: {"session":"s1","action":{"increase":{"by":2}}}"#)
    try await terminal.press("C-d")
    try await terminal.waitForShell(below: "left with 0")
  }
}
