import Foundation
import Testing

/// The files of github.com/nst/JSONTestSuite, which lie beside the package where they are at all.
enum JSONTestSuite {
  struct File: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }
  }

  /// The files of `folder` by name; none where the suite is absent.
  static func files(in folder: String, prefix: String = "") -> [File] {
    let folder = root.appending(path: folder)
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.sorted().filter { $0.hasPrefix(prefix) }.compactMap { name in
      (try? Data(contentsOf: folder.appending(path: name)))
        .map { File(name: name, bytes: Array($0)) }
    }
  }

  static var isPresent: Bool { FileManager.default.fileExists(atPath: root.path) }

  static let absence = "shared/data/json-test-suite is not beside the package"

  private static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appending(path: "shared/data/json-test-suite")
}
