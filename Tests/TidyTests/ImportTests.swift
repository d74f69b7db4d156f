import Foundation
import Testing

/// The compiler lets a transitive import through, so the directions of the house are held here.
@Suite("Imports")
struct ImportTests {
  /// What each folder may import of our own modules.
  static let allowed: [(folder: String, modules: Set<String>)] = [
    ("EventStore/Core", ["CSHA256"]),
    ("EventStore/SQLite", ["EventStoreCore", "CSQLite"]),
    ("EventStore/Testing", ["EventStoreCore"]),
    ("EventStore/FaultyDisk", ["CFaultyVFS", "EventStoreTesting"]),
    ("Sources/JSONTree", []),
    ("Sources/Refold", ["EventStoreCore", "JSONTree"]),
    ("Sources/RefoldTesting", ["EventStoreCore", "JSONTree", "Refold"]),
    ("Sources/Sections", []),
    ("Sources/SampleReactors", ["Refold", "Sections"]),
    ("Sources/SampleHTTP", ["Refold", "SampleReactors"]),
    (
      "Tools/RefoldTools",
      ["EventStoreCore", "EventStoreSQLite", "JSONTree", "Refold", "Sections"]
    ),
    ("Tools/refold", ["RefoldTools", "SampleHTTP", "SampleReactors"]),
    ("Tools/MarketServer", ["Refold", "SampleReactors"]),
    ("Tools/MarketServerCommand", ["MarketServer"]),
    (
      "Tools/bench",
      ["EventStoreCore", "EventStoreSQLite", "Refold", "RefoldTools", "SampleReactors"]
    ),
  ]

  static let ours: Set<String> = [
    "CFaultyVFS", "CSHA256", "CSQLite", "EventStoreCore", "EventStoreSQLite", "EventStoreTesting",
    "FaultyDisk", "JSONTree", "Refold",
    "MarketServer", "RefoldTesting", "RefoldTools", "SampleHTTP", "SampleReactors", "Sections",
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

  @Test func networking_is_linked_by_the_samples_over_http_alone() throws {
    let folders = ["Sources/SampleHTTP/", "Tests/SampleHTTPTests/"]
    for file in try SourceTree.allFiles() where !folders.contains(where: file.path.hasPrefix) {
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
