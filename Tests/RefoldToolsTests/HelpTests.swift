import Foundation
import SampleReactors
import Testing

@Suite("Help")
struct HelpTests {
  let shell: Shell

  static let commands = [
    "run", "sessions", "log", "show", "replay", "diff", "blame", "bisect", "search", "screen",
    "export", "import", "fork", "backup", "verify", "recover", "check", "reactors", "init",
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
    #expect(array?.compactMap { $0["name"] as? String } == sampleReactors().map(\.name))
    #expect(array?.allSatisfy { ($0["actions"] as? [Any])?.isEmpty == false } == true)
  }

  @Test func of_one_reactor_is_what_stands_in_the_list_of_all() async throws {
    let all = try await shell.refold("reactors").output
    let some = try await shell.refold("reactors", "home", "counter")
    #expect(some.code == 0)
    let texts = some.output.components(separatedBy: "\n\n")
    #expect(texts.count == 2)
    #expect(texts.first?.hasPrefix("home  ") == true && texts.last?.hasPrefix("counter  ") == true)
    for text in texts { #expect(all.contains(text)) }
    let json = try await shell.refold("reactors", "counter", "--json")
    let array = try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: Any]]
    #expect(array?.compactMap { $0["name"] as? String } == ["counter"])
  }

  @Test func of_a_reactor_that_is_not_there_says_which_are() async throws {
    let result = try await shell.refold("reactors", "counter", "musik")
    #expect(result.code == 66)
    #expect(result.output == "")
    #expect(
      result.error.contains("there is no reactor musik. Did you mean music? Linked in: counter"))
  }

  @Test func the_version_is_a_line() async throws {
    #expect(try await shell.refold("--version").lines == ["refold 0.1.0"])
  }
}
