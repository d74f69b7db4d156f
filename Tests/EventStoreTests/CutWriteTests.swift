import EventStoreCore
import Foundation
import Testing

@testable import EventStoreSQLite

/// A process that is killed while it makes a store leaves a rollback journal, which only who writes
/// can undo.
@Suite("A store that was being made")
struct CutWriteTests {
  /// A copy of a database in the middle of its first transaction, as a crash leaves it.
  private func cutStore(in folder: TemporaryFolder) throws -> String {
    let (path, copy) = (folder.file("whole.sqlite"), folder.file("cut.sqlite"))
    try #require(FileManager.default.createFile(atPath: path, contents: nil))
    let connection = try Connection(file: path, mode: .writing, path: path, patience: 0)
    defer { connection.close() }
    try connection.execute(
      """
      PRAGMA cache_size = 1;
      BEGIN IMMEDIATE;
      CREATE TABLE t(x);
      INSERT INTO t VALUES(zeroblob(100000));
      INSERT INTO t VALUES(zeroblob(100000))
      """)
    for suffix in ["", "-journal"] {
      try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
    }
    return copy
  }

  @Test func is_empty_to_who_reads_it() throws {
    let folder = try TemporaryFolder()
    let path = try cutStore(in: folder)
    try #require(FileManager.default.createFile(atPath: path + "-lock", contents: nil))
    let reading = SQLiteEventStore.Options(access: .readOnly)
    let error = #expect(throws: EventStoreError.self) {
      try SQLiteEventStore(path: path, options: reading)
    }
    guard case .notAStore(_, let reason) = error else {
      Issue.record("it should be empty: \(String(describing: error))")
      return
    }
    #expect(reason.hasPrefix("it is empty"))
    try SQLiteEventStore(path: path).createSession("s")
    #expect(try SQLiteEventStore(path: path, options: reading).sessions().count == 1)
  }

  @Test func is_made_by_who_writes_it() throws {
    let folder = try TemporaryFolder()
    let path = try cutStore(in: folder)
    try SQLiteEventStore(path: path).createSession("s")
    #expect(try SQLiteEventStore(path: path).sessions().count == 1)
  }
}
