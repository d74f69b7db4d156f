import Foundation

/// The package's own Swift files.
enum SourceTree {
  /// One file, its path from the package's root.
  struct File: Sendable, CustomStringConvertible {
    let path: String
    let text: String
    let lines: [String]
    var description: String { path }
  }

  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift file below `folder`, sorted by path.
  static func files(below folder: String) throws -> [File] {
    let base = root.appendingPathComponent(folder)
    let paths =
      FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
    return try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
      let text = try String(contentsOf: base.appendingPathComponent(path), encoding: .utf8)
      return File(
        path: "\(folder)/\(path)", text: text,
        lines: text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }
  }

  /// Every Swift file of the package.
  static func allFiles() throws -> [File] {
    try ["EventStore", "Sources", "Tests", "Tools"].flatMap { try files(below: $0) }
  }
}
