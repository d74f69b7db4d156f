import EventStoreSQLite
import Foundation
import Refold
import Testing

@testable import RefoldTools

/// A tool of a test's own reactors, run inside the test.
struct TestTool {
  let tool: Tool
  let shell: Shell

  init(_ reactors: [AnyReactor]) throws {
    tool = Tool(name: "refold", reactors: reactors)
    shell = try Shell()
  }

  /// Records a session: what `body` sends, and whatever effects that leads to.
  func record<R: Reactor>(
    _ reactor: R, _ session: String, _ body: (Session<R>) async throws -> Void
  ) async throws {
    let store = try SQLiteEventStore(path: shell.store)
    let session = try await Session.open(reactor, named: session, in: store)
    try await body(session)
    await session.finishEffects()
    try await session.close()
    try store.close()
  }

  /// Runs a command line on the test's store.
  /// - Returns: what it printed, and how it ended.
  func run(_ words: String...) throws -> (output: String, code: ExitCode) { try run(words) }

  func run(_ words: [String]) throws -> (output: String, code: ExitCode) {
    let path = shell.path("out-\(UUID().uuidString)")
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    let console = Console(output: Output(descriptor, name: path))
    let invocation = try Invocation(
      words + ["--store", shell.store, "--color", "never"], tool: tool, console: console)
    let code = try invocation.run()
    try console.output.flush()
    return (try String(contentsOfFile: path, encoding: .utf8), code)
  }
}
