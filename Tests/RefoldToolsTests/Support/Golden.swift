import Foundation
import Testing

/// Texts that are the truth for people, as files in Golden. `REFOLD_UPDATE_GOLDEN=1 Tools/test`
/// writes them anew; look at the diff then.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")

  /// Whether the files are being written anew.
  static let isUpdating = ProcessInfo.processInfo.environment["REFOLD_UPDATE_GOLDEN"] != nil

  /// What the file `name` holds; nothing where there is none.
  static func text(_ name: String) -> String {
    (try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)) ?? ""
  }

  static func expect(
    _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appendingPathComponent(name)
    if isUpdating {
      try Data(text.utf8).write(to: file)
    }
    let golden = self.text(name)
    #expect(
      text == golden, "\(name) differs. If that is meant: REFOLD_UPDATE_GOLDEN=1 Tools/test",
      sourceLocation: sourceLocation)
  }
}
