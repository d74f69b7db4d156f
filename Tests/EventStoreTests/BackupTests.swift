import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import EventStoreSQLite

@Suite("A backup", .timeLimit(.minutes(5)))
struct BackupTests {
  let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func sample() throws -> SQLiteEventStore {
    try SampleStore.make(in: folder)
    return try folder.store()
  }

  @Test func has_every_session_event_delivery_and_snapshot_and_verifies() throws {
    let store = try sample()
    let backup = try store.backup(to: folder.file("copy"))
    let size = try folder.size("copy")
    #expect(backup == .init(sessions: 4, events: 21, position: Position(4), bytes: size))
    let copy = try folder.store("copy")
    try copy.verify(nil) { Issue.record("\($0)") }
    #expect(try copy.sessions() == store.sessions())
    for info in try store.sessions() {
      #expect(try copy.tail(of: info.id) == store.tail(of: info.id))
      #expect(try copy.allEvents(of: info.id) == store.allEvents(of: info.id))
      #expect(try copy.snapshots(of: info.id) == store.snapshots(of: info.id))
      #expect(
        try copy.delivery("cmd-1", in: info.id) == store.delivery("cmd-1", in: info.id))
    }
  }

  @Test func is_one_file_of_the_same_format_for_its_owner_alone_that_can_be_written() throws {
    let store = try sample()
    try store.backup(to: folder.file("copy"))
    #expect(try folder.files.filter { $0.hasPrefix("copy") } == ["copy"])
    let attributes = try FileManager.default.attributesOfItem(atPath: folder.file("copy"))
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    // 2 and 2: the WAL is used for writing and for reading (sqlite.org/fileformat2.html).
    let header = Array(try Data(contentsOf: URL(fileURLWithPath: folder.file("copy"))).prefix(20))
    #expect(header[18...] == [2, 2])
    let copy = try folder.store("copy")
    let session = try #require(try copy.session(named: SessionName("s1")))
    try copy.append(EventBatch(actions: 3, after: Seq(8)), to: session.id)
    try copy.verify(nil) { Issue.record("\($0)") }
    #expect(try store.tail(of: session.id).version == Seq(8))
    #expect(throws: EventStoreError.self) {
      try RawDatabase(folder.file("copy")).run("DELETE FROM events")
    }
  }

  @Test func sees_what_is_only_in_the_wal_and_of_a_store_that_is_only_read() throws {
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 50, after: .zero), to: session)
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    #expect(try reader.backup(to: folder.file("copy")).events == 100)
    #expect(try folder.size("store.sqlite") < folder.size("copy"))
  }

  @Test func leaves_what_is_there_alone_unless_it_is_told_to_replace_it() throws {
    let store = try sample()
    let path = folder.file("copy")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
    #expect(throws: EventStoreError.fileExists(path: path)) { try store.backup(to: path) }
    #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == Data("mine".utf8))
    try store.backup(to: path, replacing: true)
    try folder.store("copy", .init(access: .readOnly)).verify(nil) { Issue.record("\($0)") }
    for link in ["nowhere", "store.sqlite"] {
      let name = folder.file("link-\(link)")
      try FileManager.default.createSymbolicLink(atPath: name, withDestinationPath: link)
      #expect(throws: EventStoreError.self) { try store.backup(to: name) }
    }
    #expect(throws: EventStoreError.self) {
      try store.backup(to: folder.file("link-store.sqlite"), replacing: true)
    }
    #expect(try folder.files.filter { $0.hasSuffix(".part") } == [])
  }

  /// SQLite would take a -wal file that lies there for the copy's, and change the copy by it.
  @Test func never_comes_beside_the_wal_of_another_file() throws {
    let store = try sample()
    let path = folder.file("copy")
    try Data("frames".utf8).write(to: URL(fileURLWithPath: path + "-wal"))
    #expect(throws: EventStoreError.fileExists(path: path + "-wal")) {
      try store.backup(to: path)
    }
    #expect(throws: EventStoreError.inUse(path: path, beside: path + "-wal")) {
      try store.backup(to: path, replacing: true)
    }
    let other = try folder.store("other")
    try other.createSession("s1")
    let name = folder.file("other")
    #expect(throws: EventStoreError.inUse(path: name, beside: name + "-wal")) {
      try store.backup(to: name, replacing: true)
    }
    try other.close()
    try store.backup(to: name, replacing: true)
    #expect(try folder.store("other", .init(access: .readOnly)).sessions().count == 4)
  }

  @Test func of_a_damaged_store_is_refused_and_leaves_nothing() throws {
    let store = try sample()
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE events SET payload = 'other' WHERE id = 4294967299")
    try raw.restoreTriggers()
    let error = #expect(throws: EventStoreError.self) {
      try store.backup(to: folder.file("copy"))
    }
    let message = "\(try #require(error))"
    #expect(message.contains("its copy does not verify, and was removed: session s1, seq 3"))
    #expect(try folder.files.filter { $0.contains("copy") } == [])
  }

  @Test func that_is_cancelled_at_any_moment_leaves_nothing() throws {
    let store = try folder.store()
    let session = try store.createSession("s1")
    let text = String(repeating: "x", count: 2000)
    for round in 0..<5 {
      try store.append(
        EventBatch(actions: 1000, after: Seq(UInt32(2000 * round)), payload: text), to: session)
    }
    var questions = 0
    try store.backup(
      to: folder.file("whole"),
      isCancelled: {
        questions += 1
        return false
      })
    #expect(questions > 20)
    for last in [1, 2, 3, questions / 2, questions - 1] {
      var asked = 0
      #expect(throws: CancellationError.self) {
        try store.backup(
          to: folder.file("copy"),
          isCancelled: {
            asked += 1
            return asked > last
          })
      }
      #expect(try folder.files.filter { $0.contains("copy") } == [])
    }
  }

  @Test func shows_effects_that_go_on_in_the_store_as_left_by_their_owner() throws {
    let store = try folder.store()
    let session = try store.createSession("s1")
    let token = try store.claimOwnership()
    try store.append(
      to: session, [(.action, 0, "{}"), (.pending, 1, "{\"owner\":\(token.owner)}")])
    try store.backup(to: folder.file("copy"))
    let copy = try folder.store("copy")
    #expect(try copy.openEffects(of: session) == store.openEffects(of: session))
    #expect(try store.isAlive(token.owner))
    #expect(try !copy.isAlive(token.owner))
  }
}

extension TemporaryFolder {
  /// The bytes of the file `name`.
  func size(_ name: String) throws -> Int { StoreFile.size(file(name)) }
}
