import EventStoreCore

/// Verifies a store over one connection, row by row, so that rows which no event can be made of are
/// reported like any other damage.
final class StoreVerifier {
  private let reader: LogReader
  private let report: (VerifyFinding) -> Void
  private let rows: VerifySelects

  private var connection: Connection { reader.connection }

  init(_ reader: LogReader, report: @escaping (VerifyFinding) -> Void) throws {
    self.reader = reader
    self.report = report
    rows = try VerifySelects(reader.connection)
  }

  /// Frees the verifier's statements.
  func finish() { rows.finalize() }

  /// Verifies the log of `session` and its ancestors, or all logs.
  /// - Throws: `EventStoreError.noSuchSession`; I/O errors.
  func verifyLogs(_ session: SessionID?) throws {
    let ids = try tolerant("the list of sessions") {
      try rows.sessionIDs.all { $0.integer(0) }
    }
    var readable: [SessionInfo] = []
    for id in ids ?? [] {
      try EventStoreError.reportingDamage {
        find(nil, nil, $0)
      } in: {
        guard let number = Int32(exactly: id), number > 0 else {
          throw reader.damaged("a session has the number \(id)")
        }
        readable.append(try reader.lineage(of: SessionID(number)).info)
      }
    }
    // Of a session that is there and cannot be read, that has been said.
    if let session, let ids, ids.contains(Int64(session.rawValue)) {
      guard readable.contains(where: { $0.id == session }) else { return }
    }
    for info in try readable.verified(session) { try verifyLog(of: info) }
  }

  /// One session; damage that keeps its log from being followed at all ends it early.
  private func verifyLog(of info: SessionInfo) throws {
    try EventStoreError.reportingDamage {
      find(info.name.rawValue, nil, $0)
    } in: {
      try SessionVerification(info, reader, rows, report).run()
    }
  }

  /// Verifies what concerns the whole store: SQLite's own structures, the schema, and rows that
  /// belong to no session.
  func verifyStructure() throws {
    try tolerant("the integrity of the file") {
      let problems = try connection.all("PRAGMA integrity_check(100)") { $0.text(0) ?? "?" }
      for problem in problems where problem != "ok" { find(nil, nil, "SQLite: \(problem)") }
    }
    try tolerant("the schema") { try verifySchema() }
    try tolerant("rows of unknown sessions") {
      try verifyEventOwners()
      try verifyOwners()
    }
  }

  /// Compares the schema's text with what this version creates: finds a trigger that was dropped or
  /// put in, and any other change.
  private func verifySchema() throws {
    let expected = try Schema.expectedObjects()
    let found = try Schema.objects(of: connection)
    for (name, text) in expected.sorted(by: { $0.key < $1.key }) {
      if found[name] == nil { find(nil, nil, "the schema's \(name) is missing") }
      if let other = found[name], other != text {
        find(nil, nil, "the schema's \(name) was changed")
      }
    }
    // Statistics are what SQLite's own ANALYZE leaves, for the good of queries.
    for name in found.keys.sorted() where expected[name] == nil && !name.contains(" sqlite_stat") {
      find(nil, nil, "the schema's \(name) does not belong there")
    }
  }

  /// Jumps from session to session: O(sessions), not O(events).
  private func verifyEventOwners() throws {
    var next = Int64.min
    while let id = try rows.firstEvent.first(.integer(next), read: { $0.integer(0) }) {
      let session = id >> 32
      let isKnown = try rows.knowsSession.first(.integer(session)) { _ in true } ?? false
      if !isKnown { find(nil, nil, "events (id \(id) and on) belong to no session") }
      guard session < Int64(Int32.max) else { return }
      next = (session + 1) << 32
    }
  }

  private func verifyOwners() throws {
    for table in ["commits", "deliveries", "snapshots", "open_effects"] {
      let strangers = try connection.all(
        "SELECT DISTINCT session FROM \(table) WHERE session NOT IN (SELECT id FROM sessions)"
      ) { $0.integer(0) }
      for session in strangers {
        find(nil, nil, "rows of \(table) belong to session number \(session), which is not there")
      }
    }
  }

  @discardableResult
  private func tolerant<T>(_ what: String, _ body: () throws -> T) throws -> T? {
    try EventStoreError.reportingDamage(
      to: { find(nil, nil, "\(what) cannot be read: \($0)") }, in: body)
  }

  private func find(_ session: String?, _ seq: Seq?, _ problem: String) {
    report(VerifyFinding(session: session, seq: seq, problem: problem))
  }
}

/// The queries of a verification, each of which lives as long as that.
struct VerifySelects {
  let sessionIDs: Statement
  let knowsSession: Statement
  let firstEvent: Statement
  let lastEvent: Statement
  let events: Statement
  let kind: Statement
  let commits: Statement
  let lastCommit: Statement
  let deliveries: Statement
  let strayDeliveries: Statement
  let openEffects: Statement
  let snapshots: Statement

  init(_ connection: Connection) throws {
    sessionIDs = try connection.once("SELECT id FROM sessions ORDER BY id")
    knowsSession = try connection.once("SELECT 1 FROM sessions WHERE id = ?1")
    firstEvent = try connection.once("SELECT id FROM events WHERE id >= ?1 ORDER BY id LIMIT 1")
    lastEvent = try connection.once(
      "SELECT id FROM events WHERE id > ?1 AND id <= ?2 ORDER BY id DESC LIMIT 1")
    events = try connection.once(
      """
      SELECT id, kind, cause, recorded_at, payload FROM events
      WHERE id >= ?1 AND id <= ?2 ORDER BY id LIMIT \(PageLimits.events)
      """)
    kind = try connection.once("SELECT kind FROM events WHERE id = ?1")
    commits = try connection.once(
      """
      SELECT position, first_seq, last_seq, payload_bytes, digest, schema_version FROM commits
      WHERE session = ?1 AND last_seq > ?2 AND last_seq <= ?3 ORDER BY last_seq LIMIT 64
      """)
    lastCommit = try connection.once("SELECT max(last_seq) FROM commits WHERE session = ?1")
    deliveries = try connection.once(
      "SELECT seq, delivery_id FROM deliveries WHERE session = ?1 AND seq >= ?2 AND seq <= ?3")
    strayDeliveries = try connection.once(
      """
      SELECT seq, delivery_id FROM deliveries WHERE session = ?1 AND (
        length(body_digest) <> 32 OR delivery_id = '' OR NOT EXISTS (
          SELECT 1 FROM events WHERE events.id = (?1 << 32) + deliveries.seq AND kind = 1))
      """)
    openEffects = try connection.once("SELECT cause, seq FROM open_effects WHERE session = ?1")
    snapshots = try connection.once(
      "SELECT seq, fold_id, log_digest FROM snapshots WHERE session = ?1 ORDER BY seq")
  }

  func finalize() {
    for statement in [
      sessionIDs, knowsSession, firstEvent, lastEvent, events, kind, commits, lastCommit,
      deliveries, strayDeliveries, openEffects, snapshots,
    ] { statement.finalize() }
  }
}
