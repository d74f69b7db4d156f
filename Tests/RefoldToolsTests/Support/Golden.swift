import Foundation
import Testing

/// Texts that are the truth for people, as files in Golden. `REFOLD_UPDATE_GOLDEN=1 Tools/test`
/// writes them anew; look at the diff then.
enum Golden {
  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Golden")

  static func expect(
    _ text: String, matches name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let file = folder.appendingPathComponent(name)
    if ProcessInfo.processInfo.environment["REFOLD_UPDATE_GOLDEN"] != nil {
      try Data(text.utf8).write(to: file)
    }
    let golden = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    #expect(
      text == golden, "\(name) differs. If that is meant: REFOLD_UPDATE_GOLDEN=1 Tools/test",
      sourceLocation: sourceLocation)
  }
}
