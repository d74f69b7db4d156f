import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

@Suite("A schema that is not the store's own runs nothing")
struct HostileSchemaTests {
  static let tables = [
    "sessions", "events", "commits", "deliveries", "snapshots", "open_effects",
  ]

  /// A view called `table` that never ends.
  private static func endlessView(_ table: String) -> String {
    """
    CREATE VIEW \(table) AS WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r)
    SELECT x AS id, x AS session, x AS seq, x AS name, x AS reactor, x AS created_at, x AS parent,
      x AS parent_seq, x AS digest, x AS payload_bytes, x AS kind, x AS cause, x AS recorded_at,
      x AS payload, x AS position, x AS first_seq, x AS last_seq, x AS schema_version,
      x AS delivery_id, x AS body_digest, x AS fold_id, x AS log_digest, x AS state FROM r
    """
  }

  @Test(
    "in the place of a table: opening names it, verify reports it and goes on", arguments: tables)
  func view(_ table: String) throws {
    try expectDamage(
      "the schema's table \(table) is missing: what has its name is a view",
      after: [
        "DROP TABLE \(table)", Self.endlessView(table),
      ])
  }

  @Test("without a table", arguments: tables)
  func missing(_ table: String) throws {
    try expectDamage("the schema's table \(table) is missing", after: ["DROP TABLE \(table)"])
  }

  @Test("with a table of another shape", arguments: tables)
  func changed(_ table: String) throws {
    try expectDamage(
      "the schema's table \(table) was changed",
      after: ["ALTER TABLE \(table) ADD COLUMN more TEXT"])
  }

  /// Opening for writing and every call of a store open for reading throw `problem` as damage;
  /// verify finds it.
  private func expectDamage(_ problem: String, after changes: [String]) throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    for change in changes { try raw.run(change) }
    let damage = EventStoreError.damaged(path: folder.file(), reason: problem)
    for access in [SQLiteEventStore.Access.readWrite, .readWriteCreating] {
      #expect(throws: damage) { try folder.store("store.sqlite", .init(access: access)) }
    }
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    #expect(throws: damage) { try reader.sessions() }
    #expect(throws: damage) { try reader.allEvents(of: SessionID(1)) }
    #expect(try SampleStore.verify(folder).contains(problem))
  }

  @Test("verify goes on with the tables that are there")
  func goes_on() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.run("DROP TABLE snapshots")
    try raw.dropTriggers()
    try raw.run("UPDATE events SET kind = 99 WHERE id = 4294967298")
    try raw.restoreTriggers()
    let findings = try SampleStore.verify(folder)
    #expect(findings.contains("the schema's table snapshots is missing"))
    #expect(findings.contains("session s1, seq 2: kind 99 is unknown"))
    try raw.run("DROP TABLE commits")
    #expect(
      try SampleStore.verify(folder).contains(
        "session s1, seq 1: no commit holds this event, nor those up to the next commit"))
    try raw.run("DROP TABLE events")
    #expect(
      try SampleStore.verify(folder).last == "no log can be verified without the table events")
  }

  @Test("that changes while the store is open")
  func changes_while_open() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try SampleStore.fill(store)
    let raw = try RawDatabase(folder.file())
    try raw.run(
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN INSERT INTO open_effects VALUES(1, 9, 9); END")
    try store.append(EventBatch(actions: 1, after: Seq(8)), to: SessionID(1))
    #expect(try raw.number("SELECT count(*) FROM open_effects WHERE cause = 9") == 0)
    try raw.run("DROP TABLE snapshots; \(Self.endlessView("snapshots"))")
    #expect(throws: EventStoreError.self) { try store.snapshots(of: SessionID(1)) }
    var findings: [String] = []
    try store.verify(nil) { findings.append($0.description) }
    #expect(findings.contains("the schema's trigger t does not belong there"))
  }

  @Test("with a trigger on one of its tables is read and verified, and not written")
  func trigger() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try RawDatabase(folder.file()).run(
      """
      CREATE TRIGGER t AFTER INSERT ON commits BEGIN
        DELETE FROM snapshots;
      END
      """)
    let problem = "the schema's trigger t does not belong there"
    #expect(throws: EventStoreError.damaged(path: folder.file(), reason: problem)) {
      try folder.store()
    }
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    #expect(try reader.sessions().count == 4)
    #expect(try SampleStore.verify(folder) == [problem])
  }

  @Test("with another trigger under the name of its own is not written")
  func other_trigger() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try RawDatabase(folder.file()).run(
      """
      DROP TRIGGER events_refuse_update;
      CREATE TRIGGER events_refuse_update AFTER INSERT ON events BEGIN DELETE FROM snapshots; END
      """)
    let problem = "the schema's trigger events_refuse_update was changed"
    #expect(throws: EventStoreError.damaged(path: folder.file(), reason: problem)) {
      try folder.store()
    }
    #expect(try SampleStore.verify(folder) == [problem])
  }

  @Test("may have indexes and views of people's own")
  func own_objects() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try RawDatabase(folder.file()).run(
      """
      CREATE INDEX events_by_cause ON events(cause, kind);
      CREATE VIEW actions AS SELECT * FROM events WHERE kind = 1;
      CREATE TRIGGER actions_insert INSTEAD OF INSERT ON actions BEGIN SELECT 1; END;
      ANALYZE
      """)
    let store = try folder.store()
    try store.append(EventBatch(actions: 1, after: Seq(8)), to: SessionID(1))
    try store.close()
    #expect(try SampleStore.verify(folder) == [])
  }

  @Test("is known by the text that SQLite keeps of it")
  func text() throws {
    let folder = try TemporaryFolder()
    try folder.store().close()
    let raw = try RawDatabase(folder.file())
    #expect(try Schema.flaws(of: raw.connection) == [])
    #expect(Schema.objects.count == Schema.statements.count)
  }
}
