import Foundation
import Testing

@Suite("Help")
struct HelpTests {
  let shell: Shell

  static let commands = [
    "run", "sessions", "log", "show", "replay", "diff", "blame", "bisect", "search", "export",
    "import", "verify", "reactors",
    "init",
  ]

  init() throws { shell = try Shell() }

  @Test func of_the_tool_lists_every_command() async throws {
    let help = try await shell.refold("--help")
    try Golden.expect(help.output, matches: "help.txt")
    for command in Self.commands { #expect(help.output.contains("\n  \(command) ")) }
    #expect(try await shell.refold("help").output == help.output)
  }

  @Test(arguments: commands) func of_a_command_has_an_example(_ command: String) async throws {
    let help = try await shell.refold("help", command)
    #expect(help.code == 0)
    #expect(help.output.contains("example:\n  refold ") || help.output.contains("| refold "))
    try Golden.expect(help.output, matches: "help-\(command).txt")
    #expect(try await shell.refold(command, "--help").output == help.output)
    #expect(try await shell.refold(command, "-h").output == help.output)
    let width = help.lines.map(\.count).max() ?? 0
    #expect(width <= 100, "a line of \(command)'s help has \(width) columns")
  }

  @Test func of_the_reactors_shows_an_example_of_every_action() async throws {
    try Golden.expect(try await shell.refold("reactors").output, matches: "reactors.txt")
    let json = try await shell.refold("reactors", "--json")
    let array = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(array?.compactMap { $0["name"] as? String } == ["counter", "editor", "home"])
    #expect(array?.allSatisfy { ($0["actions"] as? [Any])?.isEmpty == false } == true)
  }

  @Test func the_version_is_a_line() async throws {
    #expect(try await shell.refold("--version").lines == ["refold 0.1.0"])
  }
}
