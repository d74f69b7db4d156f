import Foundation

/// The commands, in the order in which help lists them.
let allCommands: [any Command.Type] = [
  RunCommand.self, SessionsCommand.self, LogCommand.self, ShowCommand.self, ReplayCommand.self,
  DiffCommand.self, BlameCommand.self, BisectCommand.self, SearchCommand.self, ScreenCommand.self,
  ExportCommand.self, ImportCommand.self, ForkCommand.self, BackupCommand.self, VerifyCommand.self,
  RecoverCommand.self,
  CheckCommand.self, ReactorsCommand.self, InitCommand.self,
]

/// One run of the tool: a command with its arguments, or a question about the tool itself.
struct Invocation {
  /// The first words that ask about the tool, and name no command.
  static let questions = ["--version", "--help", "-h", "help"]

  private enum Request {
    case command(any Command, Arguments)
    case text(String)
  }

  private let request: Request
  private let tool: Tool
  private let console: Console

  /// Reads the words after the tool's name.
  ///
  /// - Throws: `Failure` with `.usage`.
  init(_ words: [String], tool: Tool, console: Console) throws {
    self.tool = tool
    self.console = console
    request = try Self.request(words, tool)
  }

  /// Does what was asked for.
  func run() throws -> ExitCode {
    switch request {
    case .text(let text):
      console.output.write(text)
      return .done
    case .command(let command, let arguments):
      let context = try Context(arguments, tool: tool, console: console)
      defer { context.close() }
      return try command.run(context)
    }
  }

  private static func request(_ words: [String], _ tool: Tool) throws -> Request {
    guard let first = words.first else {
      throw Failure(.usage, "a command is missing. \(list(tool))")
    }
    switch first {
    case "--version": return .text("\(tool.version)\n")
    case "--help", "-h": return .text(overview(tool))
    case "help":
      guard let name = words.dropFirst().first, name != "help" else { return .text(overview(tool)) }
      if let extra = words.dropFirst(2).first {
        throw Failure(.usage, "help: \"\(Printable.line(extra))\" is one word too many")
      }
      return .text(tool.spoken(try command(called: name, tool).help))
    default: break
    }
    if first.hasPrefix("-") {
      throw Failure(
        .usage, "options stand behind the command: \(tool.name) COMMAND \(Printable.line(first)) …")
    }
    let command = try command(called: first, tool)
    let words = words.dropFirst().map { $0 == "-h" ? "--help" : $0 }
    let arguments = try Arguments(words, for: command, of: tool)
    if arguments.has("--help") { return .text(tool.spoken(command.help)) }
    if arguments.has("--version") { return .text("\(tool.version)\n") }
    return .command(try command.init(arguments), arguments)
  }

  private static func command(called name: String, _ tool: Tool) throws -> any Command.Type {
    if let command = allCommands.first(where: { $0.name == name }) { return command }
    let shown = Printable.line(name)
    let hint =
      nearest(name, among: allCommands.map { $0.name }).map { " Did you mean \($0)?" } ?? ""
    throw Failure(.usage, "there is no command \"\(shown)\".\(hint) \(list(tool))")
  }

  private static func list(_ tool: Tool) -> String {
    "Commands: \(allCommands.map { $0.name }.joined(separator: ", ")). See: \(tool.name) --help"
  }

  private static func overview(_ tool: Tool) -> String {
    let rows = allCommands.map { ($0.name, $0.summary) }
    return tool.spoken(
      """
      An event-sourced command processor: every action and every mutation is kept in an
      append-only log, and state is rebuilt by folding it.

      usage: refold COMMAND [options]

      commands:
      \(columns(rows))

      SESSION is a session's name, or @last for the one of the newest commit. A position is a
      seq, -N from the end, end, or a time such as 2026-11-30T08:15:00Z; 0 is the initial state.

      exit codes: 0 done; 1 the answer is no; 64 usage; 65 bad input; 66 no such session, reactor
      or file; 69 store locked or unavailable; 74 read or write error; 78 not a store of this
      version; 130 or 143 ended by a signal.

      example:
        echo '{"increase":{"by":2}}' | refold run counter --session s1
        refold help run

      """)
  }
}
