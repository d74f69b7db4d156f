import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

/// What a recovery writes to, and reads from, besides damage.
@Suite("The new store of a recovery", .timeLimit(.minutes(5)))
struct RecoveryTargetTests {
  let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
  }

  private func target() throws -> RecoveryTarget {
    try RecoveryTarget(named: folder.file("new"), besides: folder.file(), patience: 1)
  }

  private func recover(
    into store: any EventStore, isCancelled: @escaping () -> Bool = { false }
  ) throws {
    let recovery = try StoreRecovery(of: folder.file(), reactors: ["counter"]) { _ in nil }
    try recovery.run(into: store, isCancelled: isCancelled, bringAside: { _ in }, report: { _ in })
  }

  private var newFiles: [String] {
    get throws { try folder.files.filter { $0.hasPrefix("new") }.sorted() }
  }

  @Test func has_its_name_when_it_is_whole_and_not_before() throws {
    let target = try target()
    try recover(into: target.store)
    #expect(try newFiles.allSatisfy { $0.hasPrefix("new.") })
    try target.finish()
    #expect(try newFiles == ["new"])
    let store = try folder.store("new")
    try store.verify(nil) { Issue.record("\($0)") }
    #expect(try store.sessions().count == folder.store().sessions().count)
  }

  @Test func leaves_what_somebody_put_there_meanwhile() throws {
    let target = try target()
    try recover(into: target.store)
    try SQLiteEventStore(path: folder.file("new")).createSession("theirs")
    #expect(throws: EventStoreError.fileExists(path: folder.file("new"))) { try target.finish() }
    target.abandon()
    #expect(try newFiles == ["new", "new-lock"])
    #expect(try folder.store("new").sessions().map(\.name.rawValue) == ["theirs"])
  }

  @Test func is_gone_when_the_recovery_is_given_up() throws {
    let target = try target()
    #expect(throws: CancellationError.self) {
      try recover(into: target.store, isCancelled: { true })
    }
    target.abandon()
    #expect(try newFiles.isEmpty)
  }

  @Test(arguments: ["-wal", "-lock"])
  func is_not_made_of_a_pipe_that_lies_beside_the_damaged_one(_ suffix: String) throws {
    unlink(folder.file() + suffix)
    try #require(mkfifo(folder.file() + suffix, 0o600) == 0)
    let error = #expect(throws: EventStoreError.self) { try recover(into: InMemoryEventStore()) }
    #expect("\(try #require(error))".contains("\(suffix) is no file. Remove it"))
  }

  @Test func is_not_made_of_what_a_link_leads_to() throws {
    let other = folder.file("other-wal")
    try #require(FileManager.default.createFile(atPath: other, contents: Data(count: 9000)))
    try FileManager.default.createSymbolicLink(
      atPath: folder.file() + "-wal", withDestinationPath: other)
    let error = #expect(throws: EventStoreError.self) { try recover(into: InMemoryEventStore()) }
    #expect("\(try #require(error))".contains("-wal is a symbolic link. Remove it"))
  }

  /// Its journal is in memory then, as that of a temporary database is.
  @Test func tells_that_there_is_no_room_for_what_was_found() throws {
    let found = try FoundRows(name: "what was found")
    try found.connection.execute("PRAGMA max_page_count = 40; BEGIN")
    #expect(throws: EventStoreError.diskFull(path: "what was found")) {
      for number in 0..<100 as Range<Int32> {
        try found.connection.execute(
          "INSERT INTO events VALUES(\(number), 1, 0, 0, zeroblob(4000), 0)")
      }
    }
  }
}
