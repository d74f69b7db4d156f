import Foundation
import Testing

@Suite("export --as html, without a browser", .timeLimit(.minutes(5)))
struct ExportPageTests {
  private let shell: Shell

  init() throws { shell = try Shell() }

  private func record(_ name: String, actions: Int) async throws {
    let input = String(repeating: "{\"increase\":{\"by\":1}}\n", count: actions)
    try await shell.refold("run", "counter", "--session", name, "--emit", "none", input: input)
  }

  @Test func the_title_shows_what_turns_writing_around() async throws {
    let name = "a\u{202E}b\u{2066}<c>"
    try await record(name, actions: 1)
    let page = try await shell.refold("export", name, "--as", "html").output
    let title = try #require(page.firstMatch(of: #/<title>(.*?)</title>/#)).output.1
    #expect(title.hasPrefix("a\\u{202e}b\\u{2066}&lt;c&gt; · counter"), "\(title)")
  }

  @Test func a_position_outside_of_the_page_is_refused() async throws {
    try await record("s", actions: 4)
    let range = ["export", "s", "--as", "html", "--from", "3", "--to", "6"]
    for (position, code) in [("1", 65), ("2", 0), ("6", 0), ("7", 65), ("end", 65)] {
      let result = try await shell.refold(range + ["--at", position])
      #expect(result.code == code, "--at \(position): \(result.error)")
      if code == 65 {
        #expect(
          result.error.contains("lies outside the page of session s, which goes from 2 to 6"))
        #expect(result.output.isEmpty)
      }
    }
    #expect(try await shell.refold(range).code == 0, "without --at it opens at the end of the page")
  }

  @Test(arguments: ["csv", "html"])
  func what_is_no_JSON_does_not_go_with_json(format: String) async throws {
    try await record("s", actions: 1)
    let result = try await shell.refold("export", "s", "--as", format, "--json")
    #expect(result.code == 64 && result.error.contains("--json goes with"), "\(result.error)")
    for format in ["state", "states", "log"] {
      #expect(try await shell.refold("export", "s", "--as", format, "--json").code == 0)
    }
  }
}
