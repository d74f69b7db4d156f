import Foundation

/// Real documents that lie beside the package, where they do.
enum SharedData {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("../shared/data").standardized

  static let isThere = FileManager.default.fileExists(
    atPath: folder.appendingPathComponent("automerge-paper.ndjson.gz").path)

  static func path(_ name: String) -> String { folder.appendingPathComponent(name).path }
}

/// An edit of the traces, folded here without any of our own text types.
struct TraceEdit: Decodable {
  struct Splice: Decodable {
    let at: Int
    let delete: Int
    let insert: String
  }

  let edit: Splice

  func apply(to text: inout [Unicode.Scalar]) {
    text.replaceSubrange(edit.at..<edit.at + edit.delete, with: edit.insert.unicodeScalars)
  }
}
