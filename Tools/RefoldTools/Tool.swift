import Dispatch
import Foundation
import Refold

/// The whole command line for a set of reactors: `run`, `replay`, `export`, `verify` and the rest.
///
///     Tool(reactors: [AnyReactor("Counts things.") { _ in CounterReactor() }]).main()
public struct Tool: Sendable {
  /// What the tool is called in its messages and help.
  public let name: String
  /// What `--version` prints.
  public let version: String
  /// The reactors that its commands know.
  public let reactors: [AnyReactor]

  /// A tool for `reactors`.
  ///
  /// - Parameters:
  ///   - name: what it is called; by default what its executable is called.
  ///   - version: its own version, printed before Refold's.
  public init(name: String? = nil, version: String? = nil, reactors: [AnyReactor]) {
    let name = name ?? Self.executableName
    let refold = "refold \(refoldVersion)"
    self.name = name
    self.version = version.map { "\(name) \($0) (\(refold))" } ?? refold
    self.reactors = reactors
  }

  /// What this process was started as. Foundation's ProcessInfo knows it too, and takes a tenth of a
  /// tool's start to tell.
  private static var executableName: String {
    let path = CommandLine.arguments.first ?? ""
    return path.split(separator: "/").last.map { String($0) } ?? "refold"
  }

  /// `text`, which speaks of `refold`, in the name of this tool. The option `--refold` and paths
  /// keep theirs.
  func spoken(_ text: String) -> String {
    if name == "refold" { return text }
    return text.replacing(#/(^|[^-/\w])refold /#) { "\($0.1)\(name) " }
  }

  /// Runs the command that the process was started with, and exits with its code.
  ///
  /// The command works on a thread of its own, which may block, and leaves the main thread to
  /// effects that belong on the main actor. A question about the tool needs no thread.
  public func main() -> Never {
    let arguments = Array(CommandLine.arguments.dropFirst())
    do {
      try Surroundings.prepare()
      if let first = arguments.first, Invocation.questions.contains(first) {
        exit(run(arguments).rawValue)
      }
      try Surroundings.startThread { exit(run(arguments).rawValue) }
    } catch {
      exit(explain(error, on: Console()).rawValue)
    }
    dispatchMain()
  }

  /// Runs `arguments` against the process's own streams.
  func run(_ arguments: [String]) -> ExitCode {
    let console = Console()
    do {
      let invocation = try Invocation(arguments, tool: self, console: console)
      let code = try invocation.run()
      try console.output.flush()
      return code
    } catch is OutputClosed {
      // Whoever read our output has seen enough: `| head` is no fault.
      return .done
    } catch {
      return explain(error, on: console)
    }
  }

  private func explain(_ error: any Error, on console: Console) -> ExitCode {
    let failure = Failure(error)
    try? console.output.flush()
    console.complain("\(name): \(failure.message)")
    return failure.code
  }
}
