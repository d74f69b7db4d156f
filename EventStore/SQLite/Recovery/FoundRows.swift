import CSQLite
import EventStoreCore

/// The rows found in a damaged file, put in order in a temporary database that goes with this object:
/// they come in the order of pages, and there may be more of them than memory holds.
///
/// Of a row that was found more than once, the better copy stands first; others are kept beside it
/// where they say something else.
final class FoundRows {
  private static let tables = """
    CREATE TABLE events(id INTEGER PRIMARY KEY, kind, cause, recorded_at, payload, standing);
    CREATE TABLE other_events(id, kind, cause, recorded_at, payload, standing);
    CREATE TABLE sessions(
      id, name, reactor, created_at, parent, parent_seq, digest, payload_bytes, is_whole, standing,
      UNIQUE(id, name, reactor, created_at, parent, parent_seq, digest, payload_bytes));
    CREATE TABLE commits(
      position, session, first_seq, last_seq, schema_version, digest, is_whole, standing,
      UNIQUE(session, last_seq, first_seq, position, schema_version, digest));
    CREATE TABLE deliveries(
      session, seq, delivery_id, body_digest, is_whole, UNIQUE(session, seq, delivery_id, body_digest));
    CREATE TABLE folds(reactor PRIMARY KEY)
    """

  let connection: Connection
  /// How many pages hold nothing that a page of a store does.
  private(set) var unreadablePages = 0
  private let event: Statement
  private let knownEvent: Statement
  private let otherEvent: Statement
  private let commit: Statement
  private let session: Statement
  private let delivery: Statement
  private let fold: Statement

  /// An empty one. Messages call it `name`.
  /// - Throws: what SQLite says.
  init(name: String) throws {
    // A database without a name is a file that SQLite deletes (sqlite.org/inmemorydb.html).
    connection = try Connection(
      file: "", mode: .init(flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE), path: name,
      patience: 0)
    try connection.execute(Self.tables)
    event = try connection.prepare("INSERT OR IGNORE INTO events VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    knownEvent = try connection.prepare(
      """
      SELECT 1 FROM events WHERE id = ?1 AND kind = ?2 AND cause = ?3 AND recorded_at = ?4
        AND payload = ?5
      """)
    otherEvent = try connection.prepare("INSERT INTO other_events VALUES(?1, ?2, ?3, ?4, ?5, ?6)")
    commit = try connection.prepare(
      "INSERT OR IGNORE INTO commits VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    session = try connection.prepare(
      "INSERT OR IGNORE INTO sessions VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)")
    delivery = try connection.prepare(
      "INSERT OR IGNORE INTO deliveries VALUES(?1, ?2, ?3, ?4, ?5)")
    fold = try connection.prepare("INSERT OR IGNORE INTO folds VALUES(?1)")
  }

  /// Takes in every row of `file`.
  /// - Throws: `EventStoreError`.
  /// - Complexity: O(bytes of the file), in constant memory.
  func fill(from file: DamagedFile) throws {
    try connection.execute("BEGIN")
    var use = PageUse(of: file)
    try file.forEachPage { page, number, standing in
      use.note(page, number, standing)
      try PageCells(page, number: number, of: file)?.visit(
        { record, id in if let row = FoundRow(record, id: id) { try self.add(row, standing) } },
        overflow: { use.noteOverflow($0, standing) })
    }
    unreadablePages = try use.unreadable()
    try connection.execute(
      """
      CREATE INDEX other_events_by_id ON other_events(id);
      CREATE INDEX commits_by_position ON commits(position);
      CREATE INDEX commits_by_first_seq ON commits(session, first_seq);
      COMMIT
      """)
  }

  private func add(_ row: FoundRow, _ standing: DamagedFile.Standing) throws {
    let rank = SQLValue.integer(Int64(standing.rawValue))
    switch row {
    case .event(let found): try add(found, standing)
    case .commit(let found):
      try commit.run(
        .integer(found.position), .integer(found.session), .integer(Int64(found.first.rawValue)),
        .integer(Int64(found.last.rawValue)), .integer(found.schemaVersion),
        .blob(found.digest.bytes), .integer(found.isWhole ? 1 : 0), rank)
    case .session(let found): try add(found, rank)
    case .delivery(let number, let seq, let id, let digest):
      try delivery.run(
        .integer(number), .integer(Int64(seq.rawValue)), .text(id), .blob(digest ?? []),
        .integer(Self.isWhole(number, seq, id, digest) ? 1 : 0))
    case .fold(let reactor): try fold.run(.text(reactor))
    }
  }

  private func add(_ found: FoundSession, _ rank: SQLValue) throws {
    let (info, start) = (found.info, found.start)
    // 0 for none: a column that is NULL would make equal rows differ.
    try session.run(
      .integer(Int64(info.id.rawValue)), .text(info.name.rawValue), .text(info.reactor),
      .integer(info.createdAt.microseconds), .integer(Int64(info.parent?.session.rawValue ?? 0)),
      .integer(Int64(info.parent?.seq.rawValue ?? 0)), .blob(start.digest.bytes),
      .integer(start.payloadBytes), .integer(found.isWhole ? 1 : 0), rank)
  }

  private func add(_ found: FoundEvent, _ standing: DamagedFile.Standing) throws {
    let before = connection.changes
    try run(event, found, standing)
    guard connection.changes == before else { return }
    if try !isKnown(found) { try run(otherEvent, found, standing) }
  }

  private func run(
    _ statement: Statement, _ found: FoundEvent, _ standing: DamagedFile.Standing
  ) throws {
    try found.payload.withUnsafeBytes { payload in
      defer { statement.reset() }
      try statement.bind(from: 1, id: EventID(rawValue: found.id), found.header, payload)
      try statement.bind(6, Int64(standing.rawValue))
      _ = try statement.step()
    }
  }

  private func isKnown(_ found: FoundEvent) throws -> Bool {
    try found.payload.withUnsafeBytes { payload in
      defer { knownEvent.reset() }
      try knownEvent.bind(from: 1, id: EventID(rawValue: found.id), found.header, payload)
      return try knownEvent.step()
    }
  }

  private static func isWhole(_ session: Int64, _ seq: Seq, _ id: String, _ bytes: [UInt8]?) -> Bool
  {
    guard let number = Int32(exactly: session), let sealed = bytes.flatMap({ SealedDigest($0) })
    else { return false }
    return sealed.fits(
      Seal.delivery(Delivery(id: id, bodyDigest: sealed.digest), at: seq, of: SessionID(number)))
  }
}
