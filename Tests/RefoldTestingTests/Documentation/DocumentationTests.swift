import Foundation
import Testing

/// Examples that nobody compiles are soon wrong. So each block marked ```swift in the README and in
/// docs has to stand in a file that the tests compile; leading spaces, empty lines and imports aside.
@Suite("The Swift code of the documentation")
struct DocumentationTests {
  private static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private static let compiled = [
    "Tests/RefoldTestingTests/Documentation", "Tests/OwnPackage/Sources",
    "Tests/RefoldToolsTests/Documentation",
  ]

  @Test(arguments: [
    "README.md", "docs/GettingStarted.md", "docs/WritingAReactor.md", "docs/Effects.md",
    "docs/Testing.md", "docs/PortingFromReactorKit.md", "docs/Sections.md",
  ])
  func is_compiled(_ document: String) throws {
    let sources = try Self.compiled.flatMap { try Self.swiftFiles(below: $0) }
      .map { Self.plainLines(try String(contentsOf: $0, encoding: .utf8)) }
    let blocks = Self.blocks(
      in: try String(contentsOf: Self.root.appendingPathComponent(document), encoding: .utf8))
    #expect(!blocks.isEmpty)
    for block in blocks {
      let lines = Self.plainLines(block)
      #expect(
        sources.contains { $0.contains(lines) },
        "\(document) shows code that stands in no file of \(Self.compiled):\n\(block)")
    }
  }

  @Test func is_reached_from_the_readme() throws {
    let readme = try String(
      contentsOf: Self.root.appendingPathComponent("README.md"), encoding: .utf8)
    let pages = try FileManager.default.contentsOfDirectory(
      atPath: Self.root.appendingPathComponent("docs").path)
    #expect(!pages.isEmpty)
    for page in pages.sorted() {
      #expect(readme.contains("](docs/\(page))"), "the README links docs/\(page) nowhere")
    }
  }

  /// The blocks that begin with ```swift and nothing else.
  private static func blocks(in text: String) -> [String] {
    var blocks: [String] = []
    var block: [Substring]?
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        if let block { blocks.append(block.joined(separator: "\n")) }
        block = block == nil && line == "```swift" ? [] : nil
      } else {
        block?.append(line)
      }
    }
    return blocks
  }

  private static func plainLines(_ code: String) -> [String] {
    code.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty && !$0.hasPrefix("import ") && !$0.hasPrefix("@testable import ") }
  }

  private static func swiftFiles(below folder: String) throws -> [URL] {
    let base = root.appendingPathComponent(folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return paths.filter { $0.hasSuffix(".swift") }.sorted().map(base.appendingPathComponent)
  }
}
