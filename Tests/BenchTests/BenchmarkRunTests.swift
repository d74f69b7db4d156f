import Foundation
import Testing

/// The benchmarks themselves, on a few operations: that they run, and find their results right.
@Suite("The benchmarks")
struct BenchmarkRunTests {
  @Test func are_listed() throws {
    let (status, output) = try Self.run(["--list"])
    #expect(status == 0)
    for name in ["run", "fold", "memory", "start"] {
      #expect(output.split(separator: "\n").contains { $0.hasPrefix("  \(name) ") }, "\(output)")
    }
  }

  @Test(arguments: ["loop", "run-normal", "emit"])
  func run_on_a_few_operations(_ name: String) throws {
    let (status, output) = try Self.run([
      "--filter", name, "--count", "20", "--rounds", "1", "--json",
    ])
    #expect(status == 0)
    #expect(output.contains(#""benchmark":"\#(name)""#), "\(output)")
  }

  @Test func an_unknown_name_is_refused() throws {
    #expect(try Self.run(["--filter", "nothing of the kind"]).status == 64)
  }

  private static let package = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs the debug build's refold-bench, and gives what it prints.
  private static func run(_ arguments: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    let output = Pipe()
    process.executableURL = package.appendingPathComponent(".build/debug/refold-bench")
    process.arguments = arguments
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
