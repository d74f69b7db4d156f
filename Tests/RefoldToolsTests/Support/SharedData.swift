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

  /// Applies the edit to a text of four-byte scalars.
  func apply(to text: inout Data) {
    let scalars = edit.insert.unicodeScalars.map(\.value)
    let inserted = scalars.withUnsafeBytes { Data($0) }
    text.replaceSubrange(4 * edit.at..<4 * (edit.at + edit.delete), with: inserted)
  }
}

extension Data {
  /// The text whose scalars, of four bytes each, these are.
  var scalarText: String {
    let values = withUnsafeBytes { Array($0.bindMemory(to: UInt32.self)) }
    var text = String.UnicodeScalarView()
    text.append(contentsOf: values.compactMap { Unicode.Scalar($0) })
    return String(text)
  }
}
