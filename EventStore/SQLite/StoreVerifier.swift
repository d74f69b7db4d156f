import EventStoreCore

/// Verifies a store over one connection, row by row, so that rows which no event can be made of are
/// reported like any other damage.
final class StoreVerifier {
  private let reader: LogReader
  private let report: (VerifyFinding) -> Void
  private let rows: VerifySelects
  private let flaws: [SchemaFlaw]
  /// Tables of the store in whose place there is something else, or nothing.
  private let missing: Set<String>

  private var connection: Connection { reader.connection }

  /// - Parameter flaws: those of the schema that `connection` reads.
  init(
    _ connection: Connection, _ flaws: [SchemaFlaw], report: @escaping (VerifyFinding) -> Void
  ) throws {
    self.report = report
    self.flaws = flaws
    missing = Set(flaws.compactMap(\.table))
    try Self.shadow(missing, on: connection)
    reader = try LogReader(connection, readsChangedForks: true)
    rows = try VerifySelects(connection)
  }

  /// Puts an empty temporary table before each of `tables`: SQLite looks there first
  /// (sqlite.org/lang_naming.html), so no query meets what has that name in the file.
  private static func shadow(_ tables: Set<String>, on connection: Connection) throws {
    guard !tables.isEmpty else { return }
    try connection.execute("PRAGMA temp_store = MEMORY; PRAGMA query_only = OFF")
    for object in Schema.objects where object.type == "table" && tables.contains(object.name) {
      try connection.execute("CREATE TEMP" + object.text.dropFirst("CREATE".count))
    }
    try connection.execute("PRAGMA query_only = ON")
  }

  /// Frees the verifier's statements.
  func finish() { rows.finalize() }

  /// Verifies the log of `session` and its ancestors, or everything.
  /// - Throws: `EventStoreError.noSuchSession`; I/O errors.
  func verify(_ session: SessionID?) throws {
    for flaw in flaws where session == nil || flaw.severity == .reading {
      find(nil, nil, flaw.problem)
    }
    if session == nil { try verifyStructure() }
    let needed = ["sessions", "events"].filter(missing.contains)
    guard needed.isEmpty else {
      return find(
        nil, nil, "no log can be verified without the table \(needed.joined(separator: " and "))")
    }
    try verifyLogs(session)
  }

  /// Verifies the log of `session` and its ancestors, or all logs.
  /// - Throws: `EventStoreError.noSuchSession`; I/O errors.
  private func verifyLogs(_ session: SessionID?) throws {
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

  /// Verifies what concerns the whole store: SQLite's own structures, and rows that belong to no
  /// session.
  private func verifyStructure() throws {
    try tolerant("the integrity of the file") { try verifyIntegrity() }
    // Without sessions, all rows belong to none.
    guard !missing.contains("sessions") else { return }
    try tolerant("rows of unknown sessions") {
      try verifyEventOwners()
      try verifyOwners()
    }
    try tolerant("the order of the commits") { try verifyPositions() }
  }

  /// SQLite ends its check with an error after it has named a page that cannot be read: then that has
  /// been said.
  private func verifyIntegrity() throws {
    var hasFound = false
    let check = try connection.once("PRAGMA integrity_check(100)")
    defer { check.finalize() }
    do {
      try check.rows { row in
        for line in (row.text(0) ?? "?").split(separator: "\n")
        where line != "ok" && !line.hasPrefix("*** in database") {
          hasFound = true
          self.find(nil, nil, "SQLite: \(line)")
        }
        return true
      }
    } catch let error as EventStoreError where hasFound && error.damage != nil {}
  }

  /// Positions are given one after the other, and no commit ever goes.
  private func verifyPositions() throws {
    let seen = try connection.first("SELECT count(*), max(position) FROM commits") {
      ($0.integer(0), $0.integer(1))
    }
    guard let (count, last) = seen, count != last else { return }
    find(nil, nil, "there are \(count) commits, but the last one's position is \(last)")
  }

  /// Jumps from session to session: O(sessions), not O(events).
  private func verifyEventOwners() throws {
    var next = Int64.min
    while let id = try rows.firstEvent.first(.integer(next), read: { $0.integer(0) }) {
      guard id >= next else { throw reader.damaged("the rows of events are not in their order") }
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
  let allDeliveries: Statement
  let snapshotStates: Statement
  let sessionDigest: Statement
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
        length(body_digest) NOT IN (32, 40) OR delivery_id = '' OR NOT EXISTS (
          SELECT 1 FROM events WHERE events.id = (?1 << 32) + deliveries.seq AND kind = 1))
      """)
    allDeliveries = try connection.once(
      "SELECT seq, delivery_id, body_digest FROM deliveries WHERE session = ?1")
    snapshotStates = try connection.once(
      "SELECT seq, fold_id, log_digest, state FROM snapshots WHERE session = ?1")
    sessionDigest = try connection.once("SELECT digest FROM sessions WHERE id = ?1")
    openEffects = try connection.once("SELECT cause, seq FROM open_effects WHERE session = ?1")
    snapshots = try connection.once(
      "SELECT seq, fold_id, log_digest FROM snapshots WHERE session = ?1 ORDER BY seq")
  }

  func finalize() {
    for statement in [
      sessionIDs, knowsSession, firstEvent, lastEvent, events, kind, commits, lastCommit,
      deliveries, strayDeliveries, allDeliveries, openEffects, snapshots, snapshotStates,
      sessionDigest,
    ] { statement.finalize() }
  }
}
