import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@Suite("Verify finds what no writer wrote")
struct VerifyTests {
  /// A change behind the store's back, and a part of the finding that must name it.
  struct Tampering: Sendable, CustomTestStringConvertible {
    var what: String
    var sql: String
    var finding: String
    var testDescription: String { what }

    init(_ what: String, _ sql: String, _ finding: String) {
      (self.what, self.sql, self.finding) = (what, sql, finding)
    }
  }

  /// Of a `SampleStore`.
  static let tamperings = [
    Tampering(
      "one byte of a payload",
      "UPDATE events SET payload = replace(payload, '1', '2') WHERE id = 4294967298",
      "session s1, seq 1: commit 1 (seq 1 to 4) does not have the digest of its events"),
    Tampering(
      "one byte of a fork's payload",
      "UPDATE events SET payload = replace(payload, '1', '2') WHERE id = 8589934599",
      "session s2, seq 6: commit 4 (seq 6 to 7) does not have the digest of its events"),
    Tampering(
      "the first row deleted", "DELETE FROM events WHERE id = 4294967297",
      "session s1, seq 1: events are missing up to the one at seq 2"),
    Tampering(
      "a row deleted in the middle", "DELETE FROM events WHERE id = 4294967300",
      "session s1, seq 4: events are missing up to"),
    Tampering(
      "the last row deleted", "DELETE FROM events WHERE id = 4294967304",
      "session s1, seq 8: events are missing up to seq 8"),
    Tampering(
      "two rows swapped",
      """
      UPDATE events SET id = -1 WHERE id = 4294967298;
      UPDATE events SET id = 4294967298 WHERE id = 4294967300;
      UPDATE events SET id = 4294967300 WHERE id = -1
      """, "session s1, seq 1: commit 1 (seq 1 to 4) does not have the digest of its events"),
    Tampering(
      "a kind", "UPDATE events SET kind = 1 WHERE id = 4294967298",
      "session s1, seq 1: commit 1 (seq 1 to 4) does not have the digest of its events"),
    Tampering(
      "a kind that is none", "UPDATE events SET kind = 99 WHERE id = 4294967298",
      "session s1, seq 2: kind 99 is unknown"),
    Tampering(
      "a cause", "UPDATE events SET cause = 3 WHERE id = 4294967302",
      "session s1, seq 5: commit 2 (seq 5 to 6) does not have the digest of its events"),
    Tampering(
      "a cause that is no action", "UPDATE events SET cause = 2 WHERE id = 4294967302",
      "session s1, seq 6: its cause 2 is not an earlier action"),
    Tampering(
      "a cause that is no seq", "UPDATE events SET cause = -7 WHERE id = 4294967302",
      "session s1, seq 6: its cause -7 cannot be a seq"),
    Tampering(
      "a time", "UPDATE events SET recorded_at = recorded_at + 1 WHERE id = 4294967302",
      "session s1, seq 5: commit 2 (seq 5 to 6) does not have the digest of its events"),
    Tampering(
      "a time that goes back", "UPDATE events SET recorded_at = 5 WHERE id = 4294967302",
      "session s1, seq 6: it is recorded before the event ahead of it"),
    Tampering(
      "a delivery's id", "UPDATE deliveries SET delivery_id = 'cmd-2'",
      "session s1, seq 1: commit 1 (seq 1 to 4) does not have the digest of its events"),
    Tampering(
      "a delivery's place", "UPDATE deliveries SET seq = 2",
      "session s1, seq 2: the delivery cmd-1 is malformed or stands on no action"),
    Tampering(
      "a delivery's digest", "UPDATE deliveries SET body_digest = x'00'",
      "session s1, seq 1: the delivery cmd-1 is malformed or stands on no action"),
    Tampering(
      "a delivery deleted", "DELETE FROM deliveries",
      "session s1, seq 1: commit 1 (seq 1 to 4) does not have the digest of its events"),
    Tampering(
      "a fork's place", "UPDATE sessions SET parent_seq = 4 WHERE id = 2",
      "session s2: what it starts with is not the log of s1 up to seq 4"),
    Tampering(
      "an empty fork's place", "UPDATE sessions SET parent_seq = 4 WHERE id = 3",
      "session s3: what it starts with is not the log of s1 up to seq 4"),
    Tampering(
      "a parent that is younger", "UPDATE sessions SET parent = 3 WHERE id = 2",
      "session s2 has no parent 3"),
    Tampering(
      "a reactor's name", "UPDATE sessions SET reactor = 'other' WHERE id = 1",
      "session s1: the digest that it starts with is not that of the reactor other"),
    Tampering(
      "a commit deleted", "DELETE FROM commits WHERE position = 2",
      "session s1, seq 7: commit 3 holds seq 7 to 8, but the commit before it ends at 4"),
    Tampering(
      "the last commit deleted", "DELETE FROM commits WHERE position = 3",
      "session s1, seq 7: no commit holds this event"),
    Tampering(
      "a commit's digest", "UPDATE commits SET digest = zeroblob(32) WHERE position = 2",
      "session s1, seq 5: commit 2 (seq 5 to 6) does not have the digest of its events"),
    Tampering(
      "a commit's digest that is none", "UPDATE commits SET digest = x'00' WHERE position = 2",
      "session s1, seq 6: commit 2 is malformed"),
    Tampering(
      "a commit's range", "UPDATE commits SET first_seq = 4 WHERE position = 2",
      "session s1, seq 4: commit 2 holds seq 4 to 6, but the commit before it ends at 4"),
    Tampering(
      "a commit that ends nowhere",
      "UPDATE commits SET last_seq = 99999999999 WHERE position = 3",
      "session s1: a commit ends at 99999999999, which cannot be a seq"),
    Tampering(
      "a commit's byte count", "UPDATE commits SET payload_bytes = 1 WHERE position = 2",
      "session s1, seq 6: the commit counts 1 payload bytes, its events 54"),
    Tampering(
      "the order of commits", "UPDATE commits SET position = 9 WHERE position = 1",
      "session s1, seq 5: commit 2 is older than the commit before it"),
    Tampering(
      "an open effect forgotten", "DELETE FROM open_effects WHERE session = 1",
      "session s1, seq 8: the effect of seq 7 is open, but not listed as open"),
    Tampering(
      "an open effect made up", "INSERT INTO open_effects VALUES(2, 1, 2)",
      "session s2, seq 2: the effect of seq 1 is listed as open, but is not"),
    Tampering(
      "a snapshot of another log", "UPDATE snapshots SET log_digest = zeroblob(32)",
      "session s1, seq 3: a snapshot of fold f was taken of another log"),
    Tampering(
      "a snapshot beyond the end", "UPDATE snapshots SET seq = 40",
      "session s1, seq 40: a snapshot of fold f lies beyond the end of the log"),
    Tampering(
      "events of nobody", "INSERT INTO events VALUES(90000000000, 1, 0, 0, '')",
      "events (id 90000000000 and on) belong to no session"),
    Tampering(
      "events before the first", "INSERT INTO events VALUES(4294967296, 1, 0, 0, '')",
      "session s1, seq 0: an event lies before the beginning"),
    Tampering(
      "commits of nobody", "UPDATE commits SET session = 9 WHERE position = 4",
      "rows of commits belong to session number 9, which is not there"),
    Tampering(
      "a session's number", "UPDATE sessions SET id = -3 WHERE id = 3",
      "a session has the number -3"),
    Tampering(
      "a trigger put in",
      "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM snapshots; END",
      "the schema's trigger t does not belong there"),
    Tampering(
      "an index dropped", "DROP INDEX commits_by_seq",
      "the schema's index commits_by_seq is missing"),
  ]

  @Test("whatever was changed", arguments: tamperings)
  func tampering(_ tampering: Tampering) throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run(tampering.sql)
    try raw.restoreTriggers()
    let findings = try SampleStore.verify(folder)
    #expect(
      findings.contains { $0.hasPrefix(tampering.finding) },
      "looked for: \(tampering.finding)\nfound:\n\(findings.joined(separator: "\n"))")
  }

  @Test("and nothing in a store that only writers wrote")
  func nothing() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    #expect(try SampleStore.verify(folder) == [])
    let memory = InMemoryEventStore()
    try SampleStore.fill(memory)
    let findings = Mutex<[VerifyFinding]>([])
    try memory.verify(nil) { finding in findings.withLock { $0.append(finding) } }
    #expect(findings.withLock { $0 } == [])
  }

  @Test("all commits deleted, with a fork that refers to them")
  func no_commits() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("DELETE FROM commits")
    try raw.restoreTriggers()
    #expect(
      try SampleStore.verify(folder) == [
        "session s1, seq 1: no commit holds this event, nor those up to the next commit",
        "session s2: what it starts with is not the log of s1 up to seq 5",
        "session s2, seq 6: no commit holds this event, nor those up to the next commit",
        "session s3: what it starts with is not the log of s1 up to seq 6",
      ])
    #expect(try SampleStore.verify(folder, "s2").count == 3)
  }

  @Test("a session whose row cannot be read, also when asked for alone")
  func unreadable_session() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let store = try folder.store("store.sqlite", .init(access: .readOnly))
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE sessions SET digest = x'00' WHERE id = 1")
    let findings = Mutex<[String]>([])
    try store.verify(SessionID(2)) { found in findings.withLock { $0.append("\(found)") } }
    #expect(findings.withLock { $0 }.contains("the row of session 1 is malformed"))
    #expect(throws: EventStoreError.noSuchSession("number 77")) {
      try store.verify(SessionID(77)) { _ in }
    }
  }

  @Test("a file that was cut short, wherever")
  func cut_short() throws {
    let whole = try TemporaryFolder()
    try SampleStore.make(in: whole)
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.file()))
    for size in stride(from: 1024, to: bytes.count, by: 1024) {
      let folder = try TemporaryFolder()
      try bytes.prefix(size).write(to: URL(fileURLWithPath: folder.file()))
      #expect(try !SampleStore.verify(folder).isEmpty, "\(size) of \(bytes.count) bytes")
    }
  }

  @Test("an effect listed with the owner that it was taken from")
  func former_owner() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(to: session, [(.action, 0, "a"), (.pending, 1, "p1")])
    try store.append(to: session, [(.pending, 1, "p2")])
    try store.close()
    #expect(try SampleStore.verify(folder) == [])
    try RawDatabase(folder.file()).run("UPDATE open_effects SET seq = 2")
    #expect(
      try SampleStore.verify(folder) == [
        "session s1, seq 3: the effect of seq 1 is open, but not listed as open",
        "session s1, seq 2: the effect of seq 1 is listed as open, but is not",
      ])
  }

  @Test("a dropped trigger")
  func dropped_trigger() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    try RawDatabase(folder.file()).run("DROP TRIGGER events_refuse_update")
    #expect(
      try SampleStore.verify(folder) == ["the schema's trigger events_refuse_update is missing"])
  }

  @Test("one session and its ancestors alone, when asked for that")
  func one_session() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE events SET payload = 'x' WHERE id = 8589934599")
    #expect(try SampleStore.verify(folder, "s1") == [])
    #expect(try SampleStore.verify(folder, "s3") == [])
    #expect(try SampleStore.verify(folder, "s2").count == 2)
  }
}
