import EventStoreSQLite
import Foundation

/// A folder of a test's own, removed with it.
final class TemporaryFolder: Sendable {
  let path: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/refold-test-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The path of `name` in the folder.
  func file(_ name: String = "store.sqlite") -> String { "\(path)/\(name)" }

  /// A store in the folder, opened with the system's word for durable: tests pull no plugs.
  func store(
    _ name: String = "store.sqlite",
    _ options: SQLiteEventStore.Options = .init(synchronous: .normal)
  ) throws -> SQLiteEventStore {
    try SQLiteEventStore(path: file(name), options: options)
  }

  /// The names of the files in the folder.
  var files: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() }
  }
}
