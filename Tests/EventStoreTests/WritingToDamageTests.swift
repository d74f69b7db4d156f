import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Testing

@Suite("Nothing is written on top of damage")
struct WritingToDamageTests {
  @Test(
    "events beyond the last commit",
    arguments: [
      "DELETE FROM commits WHERE position = 3",
      "INSERT INTO events SELECT id + 3, kind, cause, recorded_at, payload FROM events"
        + " WHERE id = 4294967302; DELETE FROM commits WHERE position = 3;"
        + " DELETE FROM events WHERE id IN (4294967303, 4294967304)",
    ])
  func events_beyond(_ sql: String) throws {
    let folder = try damaged(sql)
    let store = try folder.store()
    let session = SessionID(1)
    let damage = EventStoreError.damaged(
      path: folder.file(),
      reason: "session s1 has events beyond its last commit, which ends at seq 6")
    // Whether the writer believes in the events or in the commits: nobody else appended.
    for version in [Seq(6), Seq(8)] {
      #expect(throws: damage) {
        try store.append(
          EventBatch(actions: 1, after: version), to: session, expecting: version,
          schemaVersion: 1)
      }
    }
    #expect(throws: damage) { try store.append(EventBatch(), to: session) }
    #expect(try store.tail(of: session).version == Seq(6))
  }

  @Test("all commits of a session, with its events left")
  func no_commits() throws {
    let folder = try damaged("DELETE FROM commits WHERE session = 1")
    #expect(
      throws: EventStoreError.damaged(
        path: folder.file(), reason: "session s1 has events, but no commit that holds them")
    ) {
      try folder.store().append(EventBatch(actions: 1, after: .zero), to: SessionID(1))
    }
  }

  @Test(
    "rows of a session that is gone",
    arguments: [
      ("events", "INSERT INTO events VALUES((5 << 32) + 9, 1, 0, 0, '')"),
      ("commits", "INSERT INTO commits VALUES(9, 5, 1, 1, 1, 0, zeroblob(32))"),
      ("deliveries", "INSERT INTO deliveries VALUES(5, 'cmd-9', 1, zeroblob(32))"),
      ("snapshots", "INSERT INTO snapshots VALUES(5, 1, 'f', zeroblob(32), '{}')"),
      ("open_effects", "INSERT INTO open_effects VALUES(5, 1, 2)"),
    ])
  func orphans(_ table: String, _ sql: String) throws {
    let folder = try damaged(sql)
    let store = try folder.store()
    let damage = EventStoreError.damaged(
      path: folder.file(),
      reason: "the number of the next session, 5, is taken: \(table) has rows of it")
    #expect(throws: damage) { try store.createSession("new") }
    #expect(throws: damage) { try store.fork(SessionID(1), at: 2, named: "new") }
    #expect(try store.sessions().count == 4)
  }

  @Test("the newest session's row deleted")
  func session_deleted() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try store.append(EventBatch(actions: 1, after: .zero), to: try store.createSession("s1"))
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("DELETE FROM sessions")
    #expect(
      throws: EventStoreError.damaged(
        path: folder.file(),
        reason: "the number of the next session, 1, is taken: events has rows of it")
    ) {
      try store.createSession("s1")
    }
  }

  @Test("a row that stands where the next one goes")
  func collision() throws {
    let folder = try damaged("INSERT INTO deliveries VALUES(1, 'cmd-9', 9, zeroblob(32))")
    var batch = EventBatch(actions: 1, after: Seq(8))
    batch.setDelivery(Delivery("cmd-2"), at: 0)
    let error = #expect(throws: EventStoreError.self) {
      try folder.store().append(batch, to: SessionID(1))
    }
    #expect(
      error
        == .damaged(
          path: folder.file(),
          reason: "what is there keeps a new row out: "
            + "UNIQUE constraint failed: deliveries.session, deliveries.seq"))
  }

  @Test("half an append, where a transaction goes on after one that failed")
  func half() throws {
    let folder = try damaged("INSERT INTO deliveries VALUES(1, 'cmd-9', 11, zeroblob(32))")
    let store = try folder.store()
    var batch = EventBatch(actions: 2, after: Seq(8))
    batch.setDelivery(Delivery("cmd-2"), at: 2)
    #expect(throws: EventStoreError.self) {
      try store.transaction { transaction in
        _ = try? transaction.append(
          batch, to: SessionID(1), expecting: Seq(8), schemaVersion: 1)
        _ = try transaction.createSession(
          named: try SessionName("new"), reactor: "r", at: Timestamp(microseconds: 0))
      }
    }
    #expect(try store.allEvents(of: SessionID(1)).count == 8)
    #expect(try store.sessions().count == 4)
  }

  @Test("a position that nothing can follow")
  func position() throws {
    for position in ["9223372036854775807", "9007199254740992"] {
      let folder = try damaged("UPDATE commits SET position = \(position) WHERE position = 4")
      let error = #expect(throws: EventStoreError.self) {
        try folder.store().append(EventBatch(actions: 1, after: Seq(8)), to: SessionID(1))
      }
      #expect(error?.description.contains("is damaged") == true, "\(error as Any)")
    }
  }

  private func damaged(_ sql: String) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run(sql)
    try raw.restoreTriggers()
    return folder
  }
}
