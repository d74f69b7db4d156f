import Foundation
import Testing

@Suite(
  "The time machine on a terminal", .serialized, .timeLimit(.minutes(5)),
  .enabled(if: Tmux.isThere, "tmux is not installed: no terminal to look at"))
struct ScreenOnTerminalTests {
  private let shell: Shell

  init() throws {
    shell = try Shell()
    try shell.record("s1", Shell.counted)
  }

  private func open(
    _ words: String = "", columns: Int = 90, rows: Int = 20, environment: [String] = []
  ) async throws -> Tmux {
    let terminal = try await Tmux(shell, columns: columns, rows: rows, environment: environment)
    try await terminal.run("\"$REFOLD\" replay s1 \(words); echo left with $?")
    try await terminal.wait(for: " s1 ", "/12")
    return terminal
  }

  @Test func opens_at_the_end_and_shows_where_it_is() async throws {
    try await open().expect("end.txt")
  }

  @Test func steps_forward_and_back_by_event_and_by_action() async throws {
    let terminal = try await open("--from 1")
    try await terminal.wait(for: " 1/12", "value: 0")
    try await terminal.press("j")
    try await terminal.wait(for: " 2/12", "~     value: 2")
    try await terminal.press("Right", "Down")
    try await terminal.expect("step.txt")
    try await terminal.press("h", "k")
    try await terminal.wait(for: " 2/12", "~     value: 2")
    try await terminal.press("Home")
    try await terminal.wait(for: " 0/12", "value: 0")
    try await terminal.press("End")
    try await terminal.wait(for: " 12/12", "value: 21")
  }

  @Test func has_tabs_for_the_state_its_changes_and_the_event() async throws {
    let terminal = try await open("--from 8")
    try await terminal.wait(for: " 8/12", "value: 20")
    try await terminal.press("2")
    try await terminal.expect("changes.txt")
    try await terminal.press("3")
    try await terminal.expect("event.txt")
    try await terminal.press("v", "g", "2")
    try await terminal.wait(for: "from 8 to 0", "/value: 20 -> 0")
  }

  @Test func searches_events_and_the_state() async throws {
    let terminal = try await open("--from 1")
    try await terminal.press("/")
    try await terminal.type("reset")
    try await terminal.press("Enter")
    try await terminal.wait(for: " 6/12")
    try await terminal.press("n")
    try await terminal.wait(for: " 11/12")
    try await terminal.press("n")
    try await terminal.wait(for: "No event after this one has \"reset\"")
    try await terminal.press("N")
    try await terminal.wait(for: " 6/12")
    let hit = try await terminal.coloredScreen()
    #expect(hit.contains("\u{1B}[1m\u{1B}[30m\u{1B}[43mreset"), "the hit is highlighted")
    try await terminal.press("Tab", "/")
    try await terminal.type("valu")
    try await terminal.press("Enter")
    try await terminal.wait(for: " 6/12", "value: 22")
    #expect(try await terminal.coloredScreen().contains("43mvalu"))
  }

  @Test func jumps_to_changes_of_the_selected_field() async throws {
    let terminal = try await open("--from 1")
    try await terminal.wait(for: " 1/12", "value: 0")
    try await terminal.press("Tab", "j", "]")
    try await terminal.wait(for: " 2/12", "Event 2 changed /value.")
    try await terminal.press("]")
    try await terminal.wait(for: " 4/12", "Event 4 changed /value.")
    try await terminal.press("[")
    try await terminal.wait(for: " 2/12", "Event 2 changed /value.")
    try await terminal.press("[")
    try await terminal.wait(for: "Nothing before this event changed /value.")
  }

  @Test func filters_marks_and_goes_to_times() async throws {
    let terminal = try await open()
    try await terminal.press("f")
    try await terminal.type("actions")
    try await terminal.press("Enter", "k", "m", ":")
    try await terminal.type("2026-11-30T08:15:02Z")
    try await terminal.press("Enter")
    try await terminal.expect("filter.txt")
    try await terminal.press("'")
    try await terminal.wait(for: "11  reset")
    try await terminal.press("Enter")
    try await terminal.wait(for: " 11/12")
  }

  @Test func plays_to_the_end_without_its_idle_time() async throws {
    let terminal = try await open("--from 1")
    try await terminal.press("+", "+", "+", "+", "+", "+", "Space")
    try await terminal.wait(for: " 12/12", "This is the end.")
  }

  @Test func fits_any_size_at_any_time() async throws {
    let terminal = try await open("--from 4")
    try await terminal.wait(for: " 4/12", "value: 22")
    try await terminal.resize(columns: 20, rows: 10)
    try await terminal.expect("narrow-list.txt")
    try await terminal.press("Tab")
    try await terminal.expect("narrow-tab.txt")
    for (columns, rows) in [(1, 1), (3, 2), (200, 3), (40, 50), (2, 30)] {
      try await terminal.resize(columns: columns, rows: rows)
      try await terminal.press("j")
    }
    try await terminal.resize(columns: 90, rows: 20)
    try await terminal.press("Tab")
    try await terminal.expect("wide-again.txt")
  }

  @Test func writes_the_state_and_forks_the_session() async throws {
    let terminal = try await open("--from 4")
    try await terminal.wait(for: " 4/12", "value: 22")
    try await terminal.press("e")
    try await terminal.type("state.json")
    try await terminal.press("Enter")
    try await terminal.wait(for: "wrote the state at 4 to state.json")
    let exported = try await shell.refold("export", "s1", "--at", "4")
    #expect(try shell.read("state.json") == Array(exported.output.utf8))
    try await terminal.press("e")
    try await terminal.type("state.json")
    try await terminal.press("Enter")
    try await terminal.wait(for: "state.json is there already")
    try await terminal.press("j", "b")
    try await terminal.type("s2")
    try await terminal.press("Enter")
    try await terminal.wait(for: "session s2 shares the events up to 5")
    let fork = try await shell.refold("log", "s2", "--json")
    #expect(fork.lines.count == 6, "the effect that ran at the cut is over")
    #expect(fork.lines.last?.contains("\"kind\":\"cancelled\",\"cause\":3") == true)
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func follows_a_session_that_another_process_writes() async throws {
    try shell.record("s3", [])
    let terminal = try await Tmux(shell)
    try await terminal.run("\"$REFOLD\" replay s3 --follow")
    try await terminal.wait(for: "no events yet", "0/0", "live")
    try await shell.refold(
      "run", "counter", "--session", "s3", input: "{\"increase\":{\"by\":7}}\n")
    try await terminal.wait(for: " 2/2", "value: 7")
    try await terminal.press("k")
    try await terminal.wait(for: " 1/2")
    try await shell.refold("run", "counter", "--session", "s3", input: "\"reset\"\n")
    try await terminal.wait(for: " 1/4")
    try await terminal.press("G")
    try await terminal.wait(for: " 4/4", "value: 0")
  }

  @Test func shows_the_screen_of_a_state_that_has_one_and_no_tab_for_others() async throws {
    try await shell.refold(
      "run", "home", "--session", "h", "--set", "user=u1", "--sequential", "--emit", "none",
      input: "\"fetchPostList\"\n")
    let terminal = try await Tmux(shell)
    try await terminal.run("\"$REFOLD\" replay h")
    try await terminal.wait(for: " 7/7", "4 screen")
    try await terminal.press("4")
    try await terminal.wait(for: "Group buying", "Everyday beauty set")
    try await terminal.press(",", ",", ",")
    try await terminal.wait(for: " 4/7", "Loading posts")
    try await terminal.press("q")
    let counter = try await open()
    #expect(try await !counter.coloredScreen().contains("4 screen"))
  }

  @Test func has_no_colours_where_none_are_wanted() async throws {
    let terminal = try await open("--from 4", environment: ["NO_COLOR=1"])
    try await terminal.wait(for: " 4/12", "value: 22")
    let screen = try await terminal.coloredScreen()
    #expect(screen.firstMatch(of: #/\x1b\[[0-9;]*(3[0-8]|4[0-8]|9[0-7])m/#) == nil)
    #expect(screen.contains(";7m"), "what is selected is still seen")
  }
}
