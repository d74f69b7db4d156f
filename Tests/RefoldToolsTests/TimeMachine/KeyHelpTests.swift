import Foundation
import Testing

@testable import RefoldTools

@Suite("The keys")
struct KeyHelpTests {
  @Test func stand_in_the_documentation_as_in_the_help() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent("docs/TimeMachine.md"), encoding: .utf8)
    for section in KeyHelp.sections {
      #expect(page.contains(section.title))
      for (keys, effect) in section.keys {
        let shown = keys.split(separator: " ").map { "`\($0)`" }.joined(separator: " ")
        #expect(page.contains("| \(shown) | \(effect) |"), "docs/TimeMachine.md lacks \(keys)")
      }
    }
  }

  @Test func fit_on_a_terminal_of_80_columns() {
    for line in KeyHelp.lines { #expect(DisplayWidth.of(line.text) <= 80, "\(line.text)") }
  }
}
