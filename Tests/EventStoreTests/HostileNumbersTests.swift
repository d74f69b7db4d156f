import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Testing

/// Every number that the file holds is changed, one at a time, to what no writer writes.
@Suite("A number in the file that cannot be is damage, never a crash")
struct HostileNumbersTests {
  /// One column of one row.
  struct Cell: Sendable, CustomTestStringConvertible {
    var table: String
    var column: String
    var row: String
    /// Values that could be, or that nothing in the file speaks against.
    var isFine: @Sendable (Int64) -> Bool
    var testDescription: String { "\(table).\(column) where \(row)" }
  }

  static let cells: [Cell] = [
    cells("sessions", ["id"], "id", [1, 3]),
    cells("sessions", ["created_at"], "id", [1], isFine: { _ in true }),
    cells("sessions", ["parent", "parent_seq"], "id", [2, 3]),
    cells("sessions", ["payload_bytes"], "id", [1, 2, 4]),
    cells(
      "commits", ["session", "first_seq", "last_seq", "payload_bytes"], "position", [1, 3, 4]),
    cells("commits", ["position"], "position", [1]),
    cells("commits", ["position"], "position", [4], isFine: { (4...(1 << 53)).contains($0) }),
    cells("commits", ["schema_version"], "position", [3], isFine: { $0 >> 31 == 0 }),
    cells(
      "events", ["id", "kind", "cause", "recorded_at"], "id",
      [4_294_967_298, 4_294_967_303, 8_589_934_599]),
    cells("deliveries", ["session", "seq"], "seq", [1]),
    cells("snapshots", ["session", "seq"], "seq", [3]),
    cells("open_effects", ["session", "cause", "seq"], "seq", [8]),
  ].flatMap { $0 }

  private static func cells(
    _ table: String, _ columns: [String], _ key: String, _ rows: [Int64],
    isFine: @escaping @Sendable (Int64) -> Bool = { _ in false }
  ) -> [Cell] {
    columns.flatMap { column in
      rows.map { Cell(table: table, column: column, row: "\(key) = \($0)", isFine: isFine) }
    }
  }

  static let numbers: [Int64] = [
    .min, -1, 1 << 31, (1 << 32) - 1, 1 << 53, (1 << 61) + 1, .max,
  ]

  @Test("whichever it is", arguments: cells)
  func number(_ cell: Cell) throws {
    let whole = try TemporaryFolder()
    try SampleStore.make(in: whole)
    for number in Self.numbers {
      let folder = try TemporaryFolder()
      try FileManager.default.copyItem(atPath: whole.file(), toPath: folder.file())
      let raw = try RawDatabase(folder.file())
      try raw.dropTriggers()
      try raw.run("UPDATE \(cell.table) SET \(cell.column) = \(number) WHERE \(cell.row)")
      try raw.restoreTriggers()
      let findings = try SampleStore.verify(folder)
      if !cell.isFine(number) { #expect(!findings.isEmpty, "\(number) was not found") }
      try useAll(of: folder)
    }
  }

  @Test("a count of payload bytes that nothing can be added to refuses appends and forks")
  func payload_bytes() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE commits SET payload_bytes = 9223372036854775807 WHERE session = 1")
    let store = try folder.store()
    let session = SessionID(1)
    let damage = EventStoreError.damaged(
      path: folder.file(), reason: "session s1: its last commit is malformed")
    #expect(throws: damage) {
      try store.append(EventBatch(actions: 1, after: Seq(8)), to: session)
    }
    #expect(throws: damage) { try store.fork(session, at: 8, named: "s9") }
    #expect(throws: damage) { try store.digest(of: session, at: Seq(8)) }
  }

  @Test("a commit's schema version beyond 32 bits")
  func schema_version() throws {
    let folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE commits SET schema_version = 2147483648 WHERE position = 3")
    try raw.restoreTriggers()
    #expect(
      try SampleStore.verify(folder) == [
        "session s1, seq 8: commit 3 has the schema version 2147483648, which cannot be"
      ])
    #expect(throws: EventStoreError.self) {
      try folder.store().commits(of: SessionID(1), after: .zero, limit: 9)
    }
  }

  /// Makes every call; all may fail, but only with the store's own errors.
  private func useAll(of folder: TemporaryFolder) throws {
    let store = try folder.store()
    func attempt<T>(_ call: () throws -> T) throws -> T? {
      do { return try call() } catch is EventStoreError { return nil }
    }
    _ = try attempt { try store.newestSession() }
    for id in [Int32(1), 2, 3, 4, .max].map(SessionID.init) {
      let tail = try attempt { try store.tail(of: id) }
      _ = try attempt { try store.allEvents(of: id) }
      _ = try attempt { try store.commits(of: id, after: .zero, limit: .max) }
      for seq in (0...9).map({ Seq(UInt32($0)) }) + [.max] {
        _ = try attempt { try store.digest(of: id, at: seq) }
      }
      _ = try attempt { try store.openEffects(of: id) }
      _ = try attempt { try store.delivery("cmd-1", in: id) }
      _ = try attempt { try store.snapshots(of: id) }
      _ = try attempt { try store.seq(of: id, at: Timestamp(microseconds: .max)) }
      _ = try attempt { try store.fork(id, at: 2, named: "f\(id.rawValue)") }
      _ = try attempt { try store.fork(id, at: 7, named: "g\(id.rawValue)") }
      var batch = EventBatch()
      if let tail, let next = tail.version.advanced(by: 1) {
        batch.append(
          EventHeader(seq: next, kind: .action, cause: .zero, recordedAt: tail.recordedAt),
          payload: "1".utf8)
        _ = try attempt { try store.append(batch, to: id) }
      }
    }
    _ = try attempt { try store.createSession("new") }
    _ = try attempt { try store.sessions() }.map { $0.map(\.createdAt.description) }
    try store.close()
  }
}
