import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

/// Files of somebody else's making: what the schema has people's tools do, and what the rows claim.
@Suite("A file of somebody else's making", .timeLimit(.minutes(Trials.minutes(5))))
struct HostileStoreTests {
  @Test("with an index that computes something is read, and not written")
  func computing_index() throws {
    let like = String(repeating: "%a", count: 40)
    for (name, index) in [
      ("slow", "CREATE INDEX slow ON events((payload LIKE '\(like)b'))"),
      ("huge", "CREATE INDEX huge ON commits(length(hex(zeroblob(position + 100000))))"),
      ("part", "CREATE INDEX part ON sessions(name) WHERE name LIKE '\(like)b'"),
    ] {
      let folder = try TemporaryFolder()
      try SampleStore.make(in: folder)
      try RawDatabase(folder.file()).run(index)
      let problem = "the schema's index \(name) computes something of each row that is written"
      #expect(throws: EventStoreError.damaged(path: folder.file(), reason: problem)) {
        try folder.store()
      }
      #expect(try SampleStore.verify(folder).contains(problem))
      #expect(try folder.store("store.sqlite", .init(access: .readOnly)).sessions().count == 4)
    }
  }

  @Test("gives SQLite no more than is needed to do")
  func limits() throws {
    let folder = try TemporaryFolder()
    try folder.store().close()
    let connection = try Connection(
      file: folder.file(), mode: .writing, path: folder.file(), patience: 1)
    defer { connection.close() }
    #expect(throws: EventStoreError.self) { try connection.execute("ATTACH ':memory:' AS other") }
    #expect(throws: EventStoreError.self) {
      try connection.execute("SELECT \(Array(repeating: "(1", count: 300).joined(separator: "+"))")
    }
    #expect(throws: EventStoreError.self) {
      try connection.execute("SELECT zeroblob(600000000)")
    }
    #expect(throws: EventStoreError.self) {
      try connection.execute("PRAGMA writable_schema = ON; DELETE FROM sqlite_schema")
    }
    for (pragma, value) in [
      ("trusted_schema", Int64(0)), ("cell_size_check", 1), ("mmap_size", 0),
    ] {
      #expect(try connection.first("PRAGMA \(pragma)") { $0.integer(0) } == value, "\(pragma)")
    }
  }

  @Test("with a trigger that has a name of SQLite's own is known for what it is")
  func trigger_with_a_name_of_SQLite() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.run(
      """
      PRAGMA writable_schema = ON;
      INSERT INTO sqlite_schema VALUES('trigger', 'sqlite_t', 'events', 0,
        'CREATE TRIGGER sqlite_t AFTER INSERT ON events BEGIN DELETE FROM snapshots; END');
      PRAGMA writable_schema = OFF
      """)
    let problem = "the schema's trigger sqlite_t does not belong there"
    #expect(try SampleStore.verify(folder).contains(problem))
    #expect(throws: EventStoreError.damaged(path: folder.file(), reason: problem)) {
      try folder.store()
    }
  }

  /// The texts of another encoding are other bytes: nothing may be taken for a log that is none.
  @Test("in UTF-16 is damage, whole or not at all")
  func other_encoding() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let dump = try RawDatabase(folder.file())
    let elsewhere = try TemporaryFolder()
    let other = try RawDatabase(elsewhere.file())
    try other.run("PRAGMA encoding = 'UTF-16le'; PRAGMA journal_mode = WAL")
    for statement in Schema.statements where !statement.hasPrefix("CREATE TRIGGER") {
      try other.run(statement)
    }
    let rows = try dump.texts(
      """
      SELECT 'INSERT INTO sessions VALUES(' || id || ', ' || quote(name) || ', ' || quote(reactor)
        || ', ' || created_at || ', ' || quote(parent) || ', ' || quote(parent_seq) || ', '
        || quote(digest) || ', ' || payload_bytes || ')' FROM sessions
      UNION ALL SELECT 'INSERT INTO events VALUES(' || id || ', ' || kind || ', ' || cause || ', '
        || recorded_at || ', ' || quote(payload) || ')' FROM events
      """)
    for row in rows { try other.run(row) }
    try other.restoreTriggers()
    try other.run(
      """
      PRAGMA application_id = \(Schema.applicationID); PRAGMA user_version = \(Schema.version)
      """)
    let findings = try? SampleStore.verify(elsewhere)
    #expect(findings?.isEmpty != true, "a log in another encoding was found to be in order")
    do {
      let store = try elsewhere.store()
      _ = try store.sessions()
      _ = try store.allEvents(of: SessionID(1))
      Issue.record("a log in another encoding was read")
    } catch is EventStoreError {}
  }

  /// Each look-up of a session goes through all that it is a fork of.
  @Test("with a chain of forks without an end to speak of is damage")
  func deep_forks() throws {
    let count = Trials.isLong ? 200_000 : 4_000
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try store.createSession("root")
    try store.close()
    let raw = try RawDatabase(folder.file())
    // Digests without a seal, as a store of the first format has them.
    try raw.run(
      """
      WITH RECURSIVE n(x) AS (SELECT 2 UNION ALL SELECT x + 1 FROM n WHERE x < \(count))
      INSERT INTO sessions
      SELECT x, 'f' || x, reactor, created_at, x - 1, 0, CAST(substr(digest, 1, 32) AS BLOB), 0
      FROM n, sessions WHERE id = 1
      """)
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    let last = try #require(try reader.newestSession())
    #expect(last.name.rawValue == "f\(count)")
    let damage = EventStoreError.damaged(
      path: folder.file(),
      reason: "session f\(count) is a fork of forks more than \(ForkLimits.generations) deep")
    #expect(throws: damage) { try reader.tail(of: last.id) }
    #expect(throws: damage) { try reader.allEvents(of: last.id) }
    #expect(try reader.tail(of: SessionID(400)).version == .zero)
    var findings = 0
    try reader.verify(nil) { _ in findings += 1 }
    #expect(findings >= count - ForkLimits.generations - 1)
    Figures.note("Hostile files", "a chain of forks", [("forks", count), ("endless look-ups", 0)])
  }

  @Test("in which a session is its own parent, or forks go in a circle, is damage")
  func circle() throws {
    for parents in [[(2, 2)], [(2, 3), (3, 2)], [(3, 4), (4, 3)], [(2, 2_147_483_647)]] {
      let folder = try TemporaryFolder()
      try SampleStore.make(in: folder)
      let raw = try RawDatabase(folder.file())
      try raw.dropTriggers()
      for (session, parent) in parents {
        try raw.run(
          "UPDATE sessions SET parent = \(parent), parent_seq = 1 WHERE id = \(session)")
      }
      try raw.restoreTriggers()
      #expect(!(try SampleStore.verify(folder)).isEmpty)
      let store = try folder.store()
      for (session, _) in parents {
        let id = SessionID(Int32(session))
        #expect(throws: EventStoreError.self) { try store.tail(of: id) }
        #expect(throws: EventStoreError.self) { try store.fork(id, at: 1, named: "f\(session)") }
      }
      #expect(try store.tail(of: SessionID(1)).version == Seq(8))
    }
  }

  @Test("with texts that hold zeros or are none, or numbers where texts belong, is damage")
  func texts() throws {
    for change in [
      "UPDATE sessions SET name = 'a' || char(0) || 'b' WHERE id = 1",
      "UPDATE sessions SET name = CAST(x'ff' AS TEXT) WHERE id = 1",
      "UPDATE sessions SET name = printf('%.*c', 1000000, 'n') WHERE id = 1",
      "UPDATE sessions SET reactor = CAST(x'c0af' AS TEXT) WHERE id = 1",
      "UPDATE events SET payload = CAST(x'7b00ff7d' AS TEXT) WHERE id = 4294967298",
      "UPDATE commits SET digest = zeroblob(10000000) WHERE position = 1",
      "UPDATE deliveries SET delivery_id = '' WHERE seq = 1",
      "UPDATE deliveries SET delivery_id = printf('%.*c', 100000, 'd') WHERE seq = 1",
      "UPDATE snapshots SET fold_id = CAST(x'ff' AS TEXT), log_digest = x''",
    ] {
      let folder = try TemporaryFolder()
      try SampleStore.make(in: folder)
      let raw = try RawDatabase(folder.file())
      try raw.dropTriggers()
      try raw.run(change)
      try raw.restoreTriggers()
      #expect(!(try SampleStore.verify(folder)).isEmpty, "\(change)")
      do {
        let store = try folder.store()
        for info in try store.sessions() { _ = try store.allEvents(of: info.id) }
        _ = try store.commits(of: SessionID(1), after: .zero, limit: 9)
        _ = try store.snapshots(of: SessionID(1))
        _ = try store.delivery("cmd-1", in: SessionID(1))
      } catch is EventStoreError {}
    }
  }
}
