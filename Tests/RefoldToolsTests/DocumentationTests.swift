import Foundation
import Testing

/// The console blocks of the documentation are run, and must print what they show.
@Suite("The documentation's commands")
struct DocumentationTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  /// A command of a console block and the output that it shows.
  struct Example {
    let command: String
    var output: [String] = []
  }

  @Test(arguments: ["README.md", "docs/Samples.md"])
  func print_what_the_page_shows(_ page: String) async throws {
    let examples = Self.examples(in: try Self.text(of: page))
    #expect(examples.count >= 12)
    for example in examples {
      let result = try await shell.bash("{ \(example.command); } 2>&1")
      #expect(
        result.lines.map(Self.withoutMoment) == example.output.map(Self.withoutMoment),
        "$ \(example.command)")
    }
  }

  @Test func names_every_command() throws {
    let text = try Self.text(of: "README.md")
    for name in HelpTests.commands {
      #expect(text.contains("| `\(name)"), "the README's table lacks \(name)")
    }
  }

  private static func text(of name: String) throws -> String {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    return try String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
  }

  static func examples(in text: String) -> [Example] {
    var examples: [Example] = []
    var inConsole = false
    for line in text.split(separator: "\n") {
      if line.hasPrefix("```") {
        inConsole = line == "```console"
      } else if inConsole, line.hasPrefix("$ ") {
        examples.append(Example(command: String(line.dropFirst(2))))
      } else if inConsole, !examples.isEmpty {
        examples[examples.count - 1].output.append(String(line))
      }
    }
    return examples
  }

  /// The line with times, the digests that depend on them, and the processes that ran effects, made
  /// the same everywhere.
  static func withoutMoment(_ line: String) -> String {
    line.replacing(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/, with: "TIME")
      .replacing(/[0-9a-f]{64}/, with: "DIGEST")
      .replacing(/"owner":\d+/, with: "OWNER")
  }
}
