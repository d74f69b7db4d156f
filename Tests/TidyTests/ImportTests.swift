import Foundation
import Testing

/// The compiler lets a transitive import through, so the directions of the house are held here.
@Suite("Imports")
struct ImportTests {
  /// What each folder may import of our own modules.
  static let allowed: [(folder: String, modules: Set<String>)] = [
    ("EventStore/Core", []),
    ("EventStore/SQLite", ["EventStoreCore", "CSQLite"]),
    ("EventStore/Testing", ["EventStoreCore"]),
    ("Sources/JSONTree", []),
    ("Sources/Refold", ["EventStoreCore", "JSONTree"]),
    ("Sources/RefoldTesting", ["EventStoreCore", "JSONTree", "Refold"]),
    ("Sources/SampleReactors", ["Refold"]),
    ("Tools/RefoldTools", ["EventStoreCore", "EventStoreSQLite", "JSONTree", "Refold"]),
    ("Tools/refold", ["RefoldTools", "SampleReactors"]),
    ("Tools/bench", ["EventStoreCore", "EventStoreSQLite", "Refold", "SampleReactors"]),
  ]

  static let ours: Set<String> = [
    "CSQLite", "EventStoreCore", "EventStoreSQLite", "EventStoreTesting", "JSONTree", "Refold",
    "RefoldTesting", "RefoldTools", "SampleReactors",
  ]

  @Test(arguments: allowed.indices) func point_one_way(_ index: Int) throws {
    let (folder, modules) = Self.allowed[index]
    let files = try SourceTree.files(below: folder)
    #expect(!files.isEmpty, "\(folder) has no files: has it moved?")
    for file in files {
      for module in imports(of: file) where Self.ours.contains(module) {
        #expect(
          modules.contains(module),
          "\(file) imports \(module). \(folder) may import \(modules.sorted()).")
      }
    }
  }

  @Test func networking_is_linked_by_nobody() throws {
    for file in try SourceTree.allFiles() {
      #expect(!imports(of: file).contains("FoundationNetworking"), "\(file)")
    }
  }

  private func imports(of file: SourceTree.File) -> [String] {
    var isText = false
    return file.lines.compactMap { line in
      // Code inside a string literal of several lines is not this file's.
      if line.components(separatedBy: quotes).count.isMultiple(of: 2) { isText.toggle() }
      if isText { return nil }
      let words = line.split(separator: " ").drop { $0.hasPrefix("@") }
      guard words.first == "import" || words.dropFirst().first == "import" else { return nil }
      return words.last.map { String($0.prefix { $0 != "." }) }
    }
  }

  private let quotes = String(repeating: "\"", count: 3)
}
