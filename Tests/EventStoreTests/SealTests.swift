import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Testing

@Suite("A row's seal")
struct SealTests {
  /// What the chain of digests leaves out, each with the finding that must name it.
  static let changes: [(sql: String, finding: String)] = [
    (
      "UPDATE sessions SET name = 'other' WHERE id = 1",
      "session other: its row was changed: the name, the time of creation or the place it was "
        + "forked from"
    ),
    (
      "UPDATE sessions SET created_at = created_at + 1 WHERE id = 4",
      "session s4: its row was changed: the name, the time of creation or the place it was forked "
        + "from"
    ),
    (
      "UPDATE commits SET schema_version = 2 WHERE position = 2",
      "session s1, seq 6: the row of commit 2 was changed: its schema version, or its range"
    ),
    (
      "UPDATE commits SET position = 9 WHERE position = 4",
      "there are 4 commits, but the last one's position is 9"
    ),
    (
      "UPDATE deliveries SET body_digest = CAST(zeroblob(32) || substr(body_digest, 33) AS BLOB)",
      "session s1, seq 1: the row of the delivery cmd-1 was changed"
    ),
    (
      "UPDATE snapshots SET state = '7'",
      "session s1, seq 3: the snapshot of fold f was changed; it is not used"
    ),
    (
      "UPDATE snapshots SET fold_id = 'g'",
      "session s1, seq 3: the snapshot of fold g was changed; it is not used"
    ),
  ]

  @Test(arguments: changes)
  func tells_what_the_digests_leave_out(_ damage: (sql: String, finding: String)) throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try change(folder, damage.sql)
    #expect(try SampleStore.verify(folder) == [damage.finding])
  }

  @Test func a_fork_that_is_cut_off_elsewhere_is_not_read() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let whole = try folder.store()
    let fork = try #require(try whole.sessions().first { $0.parent != nil })
    try whole.close()
    try change(
      folder, "UPDATE sessions SET parent_seq = parent_seq - 1 WHERE id = \(fork.id.rawValue)")
    let store = try folder.store("store.sqlite", .init(access: .readOnly))
    let error = #expect(throws: EventStoreError.self) { try store.allEvents(of: fork.id) }
    let text = "\(try #require(error))"
    #expect(text.contains("the row of session \(fork.name) was changed: its past cannot be told"))
    #expect(throws: EventStoreError.self) {
      try store.snapshot(of: fork.id, atOrBefore: .max, foldID: "f")
    }
    #expect(try store.sessions().count == 4)
    #expect(try SampleStore.verify(folder).isEmpty == false)
  }

  @Test func keeps_a_state_that_was_altered_from_being_used() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try change(
      folder,
      """
      INSERT INTO snapshots SELECT session, 2, fold_id, log_digest, state FROM snapshots;
      """)
    // The one that was copied has another seq than the one it was sealed with.
    let store = try folder.store("store.sqlite", .init(access: .readOnly))
    let session = SessionID(1)
    #expect(try store.snapshot(of: session, atOrBefore: Seq(2), foldID: "f") == nil)
    let whole = try #require(try store.snapshot(of: session, atOrBefore: .max, foldID: "f"))
    #expect(whole.seq == Seq(3))
    try change(folder, "UPDATE snapshots SET state = '1' WHERE seq = 3")
    #expect(try store.snapshot(of: session, atOrBefore: .max, foldID: "f") == nil)
    #expect(try store.nextSnapshot(of: session, after: nil) == nil)
  }

  @Test func the_snapshot_before_an_altered_one_is_used() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 3, after: .zero), to: session)
    for seq in [2, 4, 6].map({ Seq($0) }) {
      let digest = try store.digest(of: session, at: seq)
      try store.save(
        Snapshot(seq: seq, foldID: "f", logDigest: digest, state: Array("\(seq)".utf8)), of: session
      )
    }
    try RawDatabase(folder.file()).run("UPDATE snapshots SET state = '9' WHERE seq > 2")
    #expect(try store.snapshot(of: session, atOrBefore: .max, foldID: "f")?.seq == Seq(2))
  }

  @Test func a_store_that_has_none_opens_and_verifies_and_is_written() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try makeFormat1(folder)
    #expect(try SampleStore.verify(folder) == [])
    let raw = try RawDatabase(folder.file())
    #expect(try raw.number("PRAGMA user_version") == 1)
    let store = try folder.store()
    let session = SessionID(1)
    // Nothing shows whether its state is as it was.
    #expect(try store.snapshot(of: session, atOrBefore: .max, foldID: "f") == nil)
    #expect(try store.nextSnapshot(of: session, after: nil)?.foldID == "f")
    try store.append(EventBatch(actions: 1, after: Seq(8)), to: session)
    #expect(try store.delivery("cmd-1", in: session)?.seq == Seq(1))
    try store.createSession("s5")
    try store.close()
    #expect(try raw.number("PRAGMA user_version") == 2)
    #expect(try SampleStore.verify(folder) == [])
    #expect(
      try raw.texts("SELECT CAST(length(digest) AS TEXT) FROM commits ORDER BY position") == [
        "32", "32", "32", "32", "40",
      ])
  }

  /// What the first format wrote: digests without seals.
  private func makeFormat1(_ folder: TemporaryFolder) throws {
    try change(
      folder,
      """
      UPDATE sessions SET digest = substr(digest, 1, 32);
      UPDATE commits SET digest = substr(digest, 1, 32);
      UPDATE deliveries SET body_digest = substr(body_digest, 1, 32);
      UPDATE snapshots SET log_digest = substr(log_digest, 1, 32);
      PRAGMA user_version = 1
      """)
  }

  private func change(_ folder: TemporaryFolder, _ sql: String) throws {
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run(sql)
    try raw.restoreTriggers()
  }
}
