import EventStoreCore

/// What was found of one session's own log, in order.
final class FoundLog {
  /// Commits that claim to end at `last`: one, unless copies of it differ.
  struct Claims {
    var last: Seq
    var commits: [FoundCommit]
    /// Whether none of their rows was changed, as far as a seal tells.
    var isWhole: Bool { commits.contains { $0.isWhole } }

    func commit(with digest: Digest) -> FoundCommit? {
      commits.first { $0.digest.digest == digest }
    }
  }

  /// An event with its delivery.
  struct Row {
    var header: EventHeader
    var payload: UnsafeRawBufferPointer
    var delivery: (id: String, bodyDigest: Digest?)?
    var standing: DamagedFile.Standing
  }

  let session: SessionID
  private let rows: FoundSelects
  private let hasDeliveries: Bool

  init(of session: SessionID, in rows: FoundSelects) throws {
    self.session = session
    self.rows = rows
    hasDeliveries =
      try rows.anyDelivery.first(.integer(Int64(session.rawValue))) { _ in true } ?? false
  }

  private var number: SQLValue { .integer(Int64(session.rawValue)) }

  /// The rows of the session in the file's list of them, the best first.
  func sessionRows() throws -> [FoundSession] { try rows.session(number) }

  /// The first event's seq, nil where there is none.
  func firstSeq() throws -> Seq? { try edge(rows.firstSeq) }

  /// The last seq that something reliable speaks of.
  func lastSeq() throws -> Seq { max(try edge(rows.lastSeq) ?? .zero, try lastClaim()) }

  /// The last seq that a commit claims.
  func lastClaim() throws -> Seq {
    let claimed = try rows.lastClaim.first(number) {
      $0.isNull(0) ? nil : Seq(exactly: $0.integer(0))
    }
    return claimed.flatMap { $0 } ?? .zero
  }

  private func edge(_ statement: Statement) throws -> Seq? {
    try statement.first(
      .integer(EventID(session, .zero).rawValue), .integer(EventID(session, .max).rawValue)
    ) { Seq(UInt32(truncatingIfNeeded: $0.integer(0))) }
  }

  /// The next claims behind `seq`.
  func claims(after seq: Seq) throws -> Claims? {
    let found = try rows.nextClaim.first(number, .integer(Int64(seq.rawValue))) {
      $0.isNull(0) ? nil : Seq(exactly: $0.integer(0))
    }
    guard let last = found.flatMap({ $0 }) else { return nil }
    let commits = try rows.claims.all(number, .integer(Int64(last.rawValue))) { $0.foundCommit }
    return Claims(last: last, commits: commits.compactMap { $0 })
  }

  /// Which events commits claim to hold.
  func committedEvents() -> CommittedEvents { CommittedEvents(of: session, rows.committed) }

  /// Lends the events after `seq`, up to and including `last`, to `body`.
  func events(after seq: Seq, through last: Seq, _ body: (Row) throws -> Void) throws {
    try visit(rows.events, after: seq, through: last, body)
  }

  /// Other copies of events in a range that say something else, at most `limit`.
  func otherEvents(after seq: Seq, through last: Seq, limit: Int) throws -> [(Int64, Event)] {
    var found: [(Int64, Event)] = []
    try visit(rows.otherEvents, after: seq, through: last) { row in
      guard found.count < limit else { return }
      let delivery = row.delivery.map {
        Delivery(id: $0.id, bodyDigest: $0.bodyDigest ?? SHA256.digest(of: []))
      }
      found.append(
        (
          EventID(session, row.header.seq).rawValue,
          Event(header: row.header, payload: Array(row.payload), delivery: delivery)
        ))
    }
    return found
  }

  /// Puts `event`, another copy, in the place of the one that stood first.
  func replace(_ id: Int64, by event: Event) throws {
    try rows.replaceEvent.run(
      .integer(id), .integer(Int64(event.header.kind.rawValue)),
      .integer(Int64(event.header.cause.rawValue)), .integer(event.header.recordedAt.microseconds),
      .bytesAsText(event.payload))
  }

  private func visit(
    _ statement: Statement, after seq: Seq, through last: Seq, _ body: (Row) throws -> Void
  ) throws {
    try statement.rows(
      .integer(EventID(session, seq).rawValue), .integer(EventID(session, last).rawValue)
    ) { row in
      let place = Seq(UInt32(truncatingIfNeeded: row.integer(0)))
      guard let kind = EventKind(rawValue: UInt8(truncatingIfNeeded: row.integer(1))) else {
        return true
      }
      let header = EventHeader(
        seq: place, kind: kind, cause: Seq(UInt32(truncatingIfNeeded: row.integer(2))),
        recordedAt: Timestamp(microseconds: row.integer(3)))
      let delivery = self.hasDeliveries ? try self.delivery(at: place) : nil
      try body(
        Row(
          header: header, payload: row.bytes(4), delivery: delivery,
          standing: DamagedFile.Standing(rawValue: Int(row.integer(5))) ?? .current))
      return true
    }
  }

  private func delivery(at seq: Seq) throws -> (id: String, bodyDigest: Digest?)? {
    try rows.delivery.first(number, .integer(Int64(seq.rawValue))) { row in
      row.text(0).map { ($0, row.integer(2) == 1 ? row.digest(1) : nil) }
    } ?? nil
  }
}

/// The events that commits of a session claim to hold, asked for in their order: so each commit is looked
/// at once, however many of them nothing proves.
final class CommittedEvents {
  private let session: Int64
  private let statement: Statement
  /// The commits that begin up to here were looked at.
  private var looked: Int64 = -1
  /// Where the last of them ends.
  private var last: Int64 = -1

  fileprivate init(of session: SessionID, _ statement: Statement) {
    (self.session, self.statement) = (Int64(session.rawValue), statement)
  }

  /// Whether `seq`, not below the one asked for before, is one of them.
  func contain(_ seq: Seq) throws -> Bool {
    let seq = Int64(seq.rawValue)
    let further = try statement.first(.integer(session), .integer(looked), .integer(seq)) {
      $0.isNull(0) ? nil : $0.integer(0)
    }
    (looked, last) = (seq, max(last, (further ?? nil) ?? -1))
    return seq <= last
  }
}

/// The queries of a recovery, prepared once.
struct FoundSelects {
  fileprivate let sessions: Statement
  fileprivate let anyDelivery: Statement
  fileprivate let firstSeq: Statement
  fileprivate let lastSeq: Statement
  fileprivate let lastClaim: Statement
  fileprivate let nextClaim: Statement
  fileprivate let claims: Statement
  fileprivate let committed: Statement
  fileprivate let events: Statement
  fileprivate let otherEvents: Statement
  fileprivate let replaceEvent: Statement
  fileprivate let delivery: Statement
  private let nextSession: Statement
  private let reactorNames: Statement

  init(_ found: FoundRows) throws {
    let connection = found.connection
    sessions = try connection.prepare(
      """
      SELECT id, name, reactor, created_at, parent, parent_seq, digest, payload_bytes, is_whole
      FROM sessions WHERE id = ?1 ORDER BY is_whole DESC, standing LIMIT 8
      """)
    anyDelivery = try connection.prepare("SELECT 1 FROM deliveries WHERE session = ?1 LIMIT 1")
    let inRange = "FROM events WHERE id > ?1 AND id <= ?2 AND standing < 2 ORDER BY id"
    firstSeq = try connection.prepare("SELECT id \(inRange) LIMIT 1")
    lastSeq = try connection.prepare("SELECT id \(inRange) DESC LIMIT 1")
    lastClaim = try connection.prepare(
      "SELECT max(last_seq) FROM commits WHERE session = ?1 AND is_whole AND standing < 2")
    nextClaim = try connection.prepare(
      "SELECT min(last_seq) FROM commits WHERE session = ?1 AND last_seq > ?2")
    claims = try connection.prepare(
      """
      SELECT position, session, first_seq, last_seq, schema_version, digest, is_whole FROM commits
      WHERE session = ?1 AND last_seq = ?2 ORDER BY is_whole DESC, standing LIMIT 8
      """)
    committed = try connection.prepare(
      """
      SELECT max(last_seq) FROM commits
      WHERE session = ?1 AND first_seq > ?2 AND first_seq <= ?3 AND is_whole
      """)
    let columns = "SELECT id, kind, cause, recorded_at, payload, standing"
    events = try connection.prepare("\(columns) FROM events WHERE id > ?1 AND id <= ?2 ORDER BY id")
    otherEvents = try connection.prepare(
      "\(columns) FROM other_events WHERE id > ?1 AND id <= ?2 ORDER BY id, standing")
    replaceEvent = try connection.prepare(
      "UPDATE events SET kind = ?2, cause = ?3, recorded_at = ?4, payload = ?5 WHERE id = ?1")
    delivery = try connection.prepare(
      """
      SELECT delivery_id, body_digest, is_whole FROM deliveries WHERE session = ?1 AND seq = ?2
      ORDER BY is_whole DESC LIMIT 1
      """)
    nextSession = try connection.prepare(
      """
      SELECT min(number) FROM (
        SELECT min(id) AS number FROM sessions WHERE id > ?1 AND standing < 2
        UNION ALL
        SELECT min(session) FROM commits WHERE session > ?1 AND session < 2147483648 AND is_whole
          AND standing < 2
        UNION ALL
        SELECT id >> 32 FROM (
          SELECT min(id) AS id FROM events WHERE id >= (?1 + 1) << 32 AND standing < 2)
      )
      """)
    reactorNames = try connection.prepare(
      "SELECT DISTINCT reactor FROM sessions UNION SELECT reactor FROM folds LIMIT 1000")
  }

  /// The number of the next session behind number `id` that something was found of.
  func nextSession(after id: Int32) throws -> SessionID? {
    let next = try nextSession.first(.integer(Int64(id))) { row -> Int32? in
      row.isNull(0) ? nil : Int32(exactly: row.integer(0))
    }
    return next.flatMap { $0 }.map { SessionID($0) }
  }

  /// The names of reactors that were found.
  func reactors() throws -> [String] { try reactorNames.all { $0.text(0) }.compactMap { $0 } }

  fileprivate func session(_ number: SQLValue) throws -> [FoundSession] {
    try sessions.all(number) { row -> FoundSession? in
      guard let id = Int32(exactly: row.integer(0)),
        let name = row.text(1).flatMap({ try? SessionName($0) }), let reactor = row.text(2),
        let digest = row.digest(6)
      else { return nil }
      var parent: SessionInfo.Parent?
      if let older = Int32(exactly: row.integer(4)), older > 0,
        let seq = Seq(exactly: row.integer(5))
      {
        parent = .init(session: SessionID(older), seq: seq)
      }
      let info = SessionInfo(
        id: SessionID(id), name: name, reactor: reactor,
        createdAt: Timestamp(microseconds: row.integer(3)), parent: parent)
      return FoundSession(
        info,
        start: LogPoint(seq: parent?.seq ?? .zero, digest: digest, payloadBytes: row.integer(7)),
        isWhole: row.integer(8) == 1)
    }.compactMap { $0 }
  }
}

extension Statement {
  fileprivate var foundCommit: FoundCommit? {
    guard let digest = sealedDigest(5), let first = Seq(exactly: integer(2)),
      let last = Seq(exactly: integer(3))
    else { return nil }
    return FoundCommit(
      position: integer(0), session: integer(1), first: first, last: last,
      schemaVersion: integer(4), digest: digest, isWhole: integer(6) == 1)
  }
}
