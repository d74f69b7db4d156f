import BenchReport
import CLimit
import Foundation

/// Finds out whether a change costs speed without looking at the clock: instructions are counted
/// under valgrind, for two sizes of the same work, so that start-up is not in the difference.
@MainActor
enum Guard {
  /// How much a count may be off.
  private static let tolerance = 0.03

  private static let path = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../guard.json").standardized.path

  /// Counts, compares, and tells; false where something takes more than was written down.
  static func check(in folder: TemporaryFolder) async throws -> Bool {
    let key = try key(in: folder)
    let figures = try GuardFigures(path: path)
    guard figures[key] != nil else {
      print(
        """
        no figures for "\(key)", so nothing is compared.
        There are some for: \(figures.keys.joined(separator: "; ")).
        Tools/bench/run --guard --update adds them.
        """)
      return true
    }
    let counts = try await GuardWork.count(in: folder)
    let comparisons = figures.compare(counts, key: key, tolerance: tolerance)
    for comparison in comparisons { print(comparison.text) }
    if comparisons.contains(where: { $0.outcome == .less || $0.outcome == .new }) {
      print("renew the figures: Tools/bench/run --guard --update")
    }
    return !comparisons.contains { $0.outcome == .more }
  }

  /// Counts, and writes down what came out.
  static func update(in folder: TemporaryFolder) async throws {
    let key = try key(in: folder)
    var figures = try GuardFigures(path: path)
    let counts = try await GuardWork.count(in: folder)
    for comparison in figures.compare(counts, key: key, tolerance: tolerance) {
      print(comparison.text)
    }
    figures[key] = counts.mapValues { $0.rounded() }
    try figures.json().write(toFile: path, atomically: true, encoding: .utf8)
  }

  /// What counts depend on besides our own code.
  private static func key(in folder: TemporaryFolder) throws -> String {
    guard let swift = ChildProcess.onPath("swift") else {
      throw BenchError.missing(path: "swift", remedy: "Put the Swift toolchain on the PATH.")
    }
    let output = folder.path("version")
    try ChildProcess.run(swift, ["--version"], output: output, errors: "/dev/null")
    let version =
      try String(contentsOfFile: output, encoding: .utf8)
      .split(separator: "\n").first.map(String.init) ?? "an unknown Swift"
    #if arch(x86_64)
      let machine = "x86_64"
    #elseif arch(arm64)
      let machine = "arm64"
    #else
      let machine = "another machine"
    #endif
    return "\(version), \(machine), SQLite \(String(cString: limit_sqlite_version()))"
  }
}
