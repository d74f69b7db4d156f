import Foundation
import Testing

/// docs/Guarantees.md names the tests that hold its promises: they have to be there.
@Suite("The guarantees")
struct GuaranteesTests {
  @Test func name_tests_that_exist() throws {
    let page = try String(
      contentsOf: SourceTree.root.appendingPathComponent("docs/Guarantees.md"), encoding: .utf8)
    let named = page.matches(of: /`([A-Z]\w+Tests)`/).map { String($0.1) }
    #expect(named.count >= 20, "the page says of hardly a promise which tests hold it")
    let files = try SourceTree.files(below: "Tests")
    for suite in Set(named) {
      #expect(
        files.contains {
          $0.text.contains("struct \(suite)") || $0.text.contains("class \(suite)")
        },
        "docs/Guarantees.md names \(suite), which is no suite of Tests")
    }
  }
}
