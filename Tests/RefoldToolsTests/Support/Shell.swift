import Foundation
import Testing

/// The built tool, run as people run it: in a folder of its own, removed when the test ends.
final class Shell: Sendable {
  let folder: URL

  init() throws {
    folder = URL(fileURLWithPath: NSTemporaryDirectory())
      .appendingPathComponent("refold-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// What a command printed and how it ended.
  struct Result: Sendable {
    let output: String
    let error: String
    let code: Int32

    /// The lines of the output.
    let lines: [String]

    init(output: Data, error: Data, code: Int32) {
      self.output = String(decoding: output, as: UTF8.self)
      self.error = String(decoding: error, as: UTF8.self)
      self.code = code
      lines = output.split(separator: UInt8(ascii: "\n")).map {
        String(decoding: $0, as: UTF8.self)
      }
    }

    var errorLines: [String] { error.split(separator: "\n").map(String.init) }

    /// The object on the line `index`.
    func object(_ index: Int = 0) throws -> [String: Any] {
      let line = try #require(lines.indices.contains(index) ? lines[index] : nil, "\(error)")
      let value = try JSONSerialization.jsonObject(with: Data(line.utf8))
      return try #require(value as? [String: Any])
    }
  }

  /// Where the tool is: `REFOLD_BINARY`, else beside the tests.
  static var refold: String {
    if let path = ProcessInfo.processInfo.environment["REFOLD_BINARY"] { return path }
    let package = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    return package.appendingPathComponent(".build/debug/refold").path
  }

  /// A path in the test's folder.
  func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// The path of the store that commands use.
  var store: String { path("refold.sqlite") }

  @discardableResult
  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: path(name)))
    return path(name)
  }

  func read(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name))))
  }

  /// Runs `refold` with `arguments` and `input`.
  @discardableResult
  func refold(_ arguments: String..., input: String = "") async throws -> Result {
    try await refold(arguments, input: Array(input.utf8))
  }

  @discardableResult
  func refold(_ arguments: [String], input: [UInt8] = []) async throws -> Result {
    let file = path("stdin-\(UUID().uuidString)")
    try Data(input).write(to: URL(fileURLWithPath: file))
    defer { try? FileManager.default.removeItem(atPath: file) }
    return try await run(Self.refold, arguments, inputFile: file)
  }

  /// Runs a line of shell in the test's folder; `refold` is the tool.
  @discardableResult
  func bash(_ script: String) async throws -> Result {
    let prelude = "set -o pipefail; refold() { \"$REFOLD\" \"$@\"; }; "
    return try await run("/bin/bash", ["-c", prelude + script], inputFile: "/dev/null")
  }

  /// Starts a command and does not wait for it.
  func start(_ executable: String, _ arguments: [String]) -> Process {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    environment["REFOLD"] = Self.refold
    environment["REFOLD_STORE"] = store
    environment["NO_COLOR"] = nil
    environment["TERM"] = "xterm"
    process.environment = environment
    return process
  }

  private func run(
    _ executable: String, _ arguments: [String], inputFile: String
  ) async throws -> Result {
    let process = start(executable, arguments)
    let (out, err) = (path("out-\(UUID().uuidString)"), path("err-\(UUID().uuidString)"))
    for file in [out, err] { try Data().write(to: URL(fileURLWithPath: file)) }
    defer { for file in [out, err] { try? FileManager.default.removeItem(atPath: file) } }
    let handles = [
      FileHandle(forReadingAtPath: inputFile), FileHandle(forWritingAtPath: out),
      FileHandle(forWritingAtPath: err),
    ]
    defer { for handle in handles { try? handle?.close() } }
    process.standardInput = handles[0]
    process.standardOutput = handles[1]
    process.standardError = handles[2]
    try await process.runToEnd()
    return Result(
      output: FileManager.default.contents(atPath: out) ?? Data(),
      error: FileManager.default.contents(atPath: err) ?? Data(), code: process.exitCode)
  }
}

extension Process {
  /// Starts, and returns when it has ended.
  func runToEnd() async throws {
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      terminationHandler = { _ in ended.resume() }
      do {
        try run()
      } catch {
        terminationHandler = nil
        ended.resume(throwing: error)
      }
    }
  }

  /// The exit code; 128 and the signal for a process that a signal ended.
  var exitCode: Int32 {
    terminationReason == .uncaughtSignal ? 128 + terminationStatus : terminationStatus
  }
}
