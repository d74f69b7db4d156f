import BenchReport
import Foundation
import SampleReactors

/// Documents that real people wrote, where they lie beside the package.
@MainActor
enum SharedData {
  /// They do not.
  struct Absence: Error, CustomStringConvertible {
    let path: String
    var description: String { "there is no \(path)" }
  }

  /// Unpacks the file `name` into `folder`, and gives its path there.
  ///
  /// - Throws: `Absence`; `BenchError` where there is no gzip.
  static func unpack(_ name: String, into folder: TemporaryFolder) throws -> String {
    let path = directory.appendingPathComponent(name + ".gz").path
    guard FileManager.default.isReadableFile(atPath: path) else { throw Absence(path: path) }
    guard let gzip = ChildProcess.onPath("gzip") else {
      throw BenchError.missing(path: "gzip", remedy: "Install it.")
    }
    let unpacked = folder.path(name)
    try ChildProcess.run(gzip, ["-dc", path], output: unpacked)
    return unpacked
  }

  private static let directory = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../../../../shared/data").standardized
}

/// The whole keystroke history of a document, an edit a line.
@MainActor
struct Paper {
  static let edits = 259_778

  /// A file of `count` edits, and how many there are.
  let input: String
  let count: Int
  /// What they end in; nil where not all of them were asked for.
  let text: String?

  /// Unpacks it into `folder`: its first `count` edits.
  init(_ count: Int, in folder: TemporaryFolder) throws {
    let whole = try SharedData.unpack("automerge-paper.ndjson", into: folder)
    self.count = min(count, Self.edits)
    if count < Self.edits {
      let lines = try String(contentsOfFile: whole, encoding: .utf8)
        .split(separator: "\n").prefix(count)
      try (lines.joined(separator: "\n") + "\n").write(
        toFile: whole, atomically: false, encoding: .utf8)
      text = nil
    } else {
      let final = try SharedData.unpack("automerge-paper.final.txt", into: folder)
      text = try String(contentsOfFile: final, encoding: .utf8)
    }
    input = whole
  }

  /// Throws unless `state` is what it ends in.
  func check(_ state: EditorReactor.State) throws {
    guard let text, !state.text.string.utf8.elementsEqual(text.utf8) else { return }
    throw BenchError.wrongResult("the text has \(state.length) scalars, and is not the document's")
  }
}
