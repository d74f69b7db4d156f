import Foundation
import Refold
import SampleReactors
import Testing

/// Real documents' whole histories must fold to the texts that they ended in.
@Suite("Editing traces")
struct EditingTraceTests {
  @Test(
    .enabled(
      if: FileManager.default.isReadableFile(atPath: folder.path),
      "../shared/data is absent, and the real documents with it"),
    arguments: [("automerge-paper", 259_778), ("friendsforever", 26_078)])
  func a_history_folds_to_the_text_it_ended_in(name: String, count: Int) throws {
    let lines = try Self.content("\(name).ndjson.gz")
    let final = try Self.content("\(name).final.txt.gz")
    let actions = try lines.split(separator: UInt8(ascii: "\n"))
      .map { try EventCodec().decode(EditorReactor.Action.self, from: Array($0)) }
    #expect(actions.count == count)
    let reactor = EditorReactor()
    var state = reactor.initialState
    for case .edit(let at, let delete, let insert) in actions {
      reactor.reduce(
        state: &state, mutation: .splice(at: at, delete: delete, insert: insert))
    }
    #expect(state.text.string.utf8.elementsEqual(final))
    #expect(state.length == state.text.string.unicodeScalars.count)
  }

  /// `../shared/data`, seen from the package.
  private static let folder = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "shared/data")

  /// The unpacked file called `name`.
  private static func content(_ name: String) throws -> Data {
    let gzip = Process()
    let output = Pipe()
    gzip.executableURL = URL(filePath: "/usr/bin/env")
    gzip.arguments = ["gzip", "-dc", folder.appending(path: name).path]
    gzip.standardOutput = output
    try gzip.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    gzip.waitUntilExit()
    #expect(gzip.terminationStatus == 0)
    return data
  }
}
