import Foundation
import Testing

@Suite("The screen of a session", .timeLimit(.minutes(5)))
struct ScreenCommandTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// A home session of one user who looks, likes and opens the menu.
  private func recordHome() async throws {
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--set", "user=u1", "--emit", "none",
      input: """
        "fetchPostList"
        {"toggleLike":{"postID":"p3","isLiked":true}}
        "refreshFABVisibility"
        "tapFAB"
        "tapTop10Banner"

        """)
    #expect(run.code == 0, "\(run.error)")
  }

  @Test func is_drawn_as_text() async throws {
    try await recordHome()
    let screen = try await shell.refold("screen", "h", "--width", "72")
    #expect(screen.code == 0, "\(screen.error)")
    try Golden.expect(screen.output, matches: "screen-home.txt")
    #expect(try await shell.refold("screen", "@last", "--width", "72").output == screen.output)
  }

  @Test func is_that_of_its_position() async throws {
    try await recordHome()
    let loading = try await shell.refold("screen", "h", "--at", "4", "--width", "40")
    try Golden.expect(loading.output, matches: "screen-home-loading.txt")
    let start = try await shell.refold("screen", "h", "--at", "0")
    #expect(start.lines.first?.hasSuffix("Not signed in") == true)
    #expect(!start.output.contains("No posts yet"), "nobody has asked yet")
    #expect(try await shell.refold("screen", "h", "--at", "999").code == 65)
  }

  @Test func is_drawn_as_a_page() async throws {
    try await recordHome()
    let page = try await shell.refold("screen", "h", "--html")
    #expect(page.code == 0, "\(page.error)")
    try Golden.expect(page.output, matches: "screen-home.html")
    let file = shell.path("screen.html")
    let silent = try await shell.refold("screen", "h", "--html", "-o", file)
    #expect(silent.code == 0)
    #expect(silent.output.isEmpty)
    #expect(String(decoding: try shell.read("screen.html"), as: UTF8.self) == page.output)
  }

  @Test func is_data_with_json() async throws {
    try await recordHome()
    let object = try await shell.refold("screen", "h", "--json").object()
    #expect(object["session"] as? String == "h")
    #expect((object["seq"] as? Int ?? 0) > 10)
    let screen = try #require(object["screen"] as? [String: Any])
    #expect(screen["account"] as? String == "Mina")
    let sections = try #require(screen["sections"] as? [[String: Any]])
    #expect(sections.compactMap { $0["layout"] as? String } == ["chips", "banner", "list"])
    #expect((sections.last?["cells"] as? [Any])?.count == 30)
  }

  @Test func what_was_news_is_gone_after_the_next_action() async throws {
    try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--emit", "none",
      input: """
        {"toggleLike":{"postID":"p3","isLiked":true}}
        "refreshFABVisibility"

        """)
    let asked = try await shell.refold("screen", "h", "--at", "2")
    #expect(asked.output.contains("Sign in to go on"))
    #expect(!(try await shell.refold("screen", "h").output.contains("Sign in to go on")))
  }

  @Test func is_as_wide_as_columns_says_in_a_pipe_and_has_no_colour() async throws {
    try await recordHome()
    for (columns, width) in [("40", 40), ("nonsense", 80), ("5", 24)] {
      let screen = try await shell.bash("COLUMNS=\(columns) refold screen h")
      #expect(screen.output.contains("╭" + String(repeating: "─", count: width - 2) + "╮"))
      #expect(!screen.output.contains("\u{1B}"))
    }
    let colored = try await shell.refold("screen", "h", "--color", "always")
    #expect(colored.output.contains("\u{1B}[7m All \u{1B}[0m"))
    try await shell.refold("screen", "h", "--color", "always", "-o", shell.path("screen"))
    #expect(!(try shell.read("screen").contains(0x1B)))
  }

  @Test func shows_hostile_input_as_text() async throws {
    let keyword = #"<script>alert(1)</script>\u001b[2J\u202e"#
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--emit", "none",
      input: "{\"searchKeyword\":{\"keyword\":\"\(keyword)\"}}\n")
    #expect(run.code == 0, "\(run.error)")
    let shown = #"\u{1b}[2J\u{202e}"#
    let text = try await shell.refold("screen", "h", "--color", "always")
    #expect(text.output.contains("Search: <script>alert(1)</script>\(shown)"))
    let page = try await shell.refold("screen", "h", "--html")
    #expect(page.output.contains("Search: &lt;script&gt;alert(1)&lt;/script&gt;\(shown)"))
    for output in [text.output, page.output] {
      #expect(!output.contains("\u{1B}[2J"))
      #expect(!output.contains("\u{202E}"))
    }
    #expect(!page.output.contains("<script"))
  }

  @Test func of_a_reactor_without_one_is_refused_and_says_who_has_one() async throws {
    try await shell.refold("run", "counter", "--session", "c", input: "{\"increase\":{\"by\":1}}\n")
    let screen = try await shell.refold("screen", "c")
    #expect(screen.code == 66)
    #expect(
      screen.error.hasPrefix(
        "refold: reactor counter has no screen: its State does not conform to ScreenPresenting "
          + "(docs/Sections.md). With one: "))
    #expect(screen.error.contains("home"))
    let diff = try await shell.refold("diff", "c", "0", "end", "--sections")
    #expect(diff.code == 66)
    #expect(diff.error.contains("counter has no sections"))
  }

  @Test func options_that_exclude_each_other_are_refused() async throws {
    try await recordHome()
    for words in [["--html", "--json"], ["--html", "--width", "60"], ["--width", "9"]] {
      #expect(try await shell.refold(["screen", "h"] + words).code == 64, "\(words)")
    }
    #expect(try await shell.refold("screen", "h", "-o", shell.store).code == 64)
  }

  @Test func a_width_that_no_terminal_has_is_refused() async throws {
    try await recordHome()
    let widest = try await shell.refold("screen", "h", "--width", "1000")
    #expect(widest.code == 0, "\(widest.error)")
    #expect(widest.output.contains("╭" + String(repeating: "─", count: 998) + "╮"))
    for width in ["1001", "10000000", "9223372036854775807", "9223372036854775808"] {
      let screen = try await shell.refold("screen", "h", "--width", width)
      #expect(screen.code == 64)
      #expect(screen.output.isEmpty)
      #expect(
        screen.error.hasPrefix(
          "refold: --width takes a whole number from 24 to 1000, not \"\(width)\""))
    }
  }
}

@Suite("The diff of what is on screen", .timeLimit(.minutes(5)))
struct SectionsDiffTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func recordHome() async throws {
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--sequential", "--set", "user=u1", "--emit", "none",
      input: """
        {"selectCategory":{"category":"pet"}}
        {"toggleLike":{"postID":"p4","isLiked":true}}

        """)
    #expect(run.code == 0, "\(run.error)")
  }

  @Test func is_a_line_a_change() async throws {
    try await recordHome()
    let diff = try await shell.refold("diff", "h", "1", "end", "--sections")
    #expect(diff.code == 0, "\(diff.error)")
    try Golden.expect(diff.output, matches: "diff-sections.txt")
    let back = try await shell.refold("diff", "h", "end", "1", "--sections")
    #expect(back.lines.first == "changeset 1: deletes and updates")
    #expect(back.lines.contains { $0.hasPrefix("- posts[0] p4 ♥ ") })
  }

  @Test func of_a_like_is_one_update() async throws {
    try await recordHome()
    let diff = try await shell.refold("diff", "h", "8", "end", "--sections")
    #expect(
      diff.lines == ["changeset 1: deletes and updates", "~ posts[0] p4: ♡ 157 -> ♥ 158"])
    let same = try await shell.refold("diff", "h", "end", "end", "--sections")
    #expect(same.lines.first?.hasPrefix("nothing changed between") == true)
  }

  @Test func is_data_with_json() async throws {
    try await recordHome()
    let object = try await shell.refold("diff", "h", "8", "end", "--sections", "--json").object()
    #expect(object["from"] as? Int == 8)
    let changesets = try #require(object["changesets"] as? [[String: [[String: Any]]]])
    #expect(changesets.count == 1)
    let update = try #require(changesets.first?["updatedItems"]?.first)
    #expect(update["section"] as? String == "posts")
    #expect(update["index"] as? Int == 0)
    #expect(update["id"] as? String == "p4")
    #expect(update["content"] as? String == "♥ 158")
  }
}
