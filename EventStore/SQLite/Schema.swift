import EventStoreCore

/// The tables of a store, and how a file is told to be one.
enum Schema {
  /// `PRAGMA application_id`: "Rfld".
  static let applicationID: Int64 = 0x5266_6c64
  /// `PRAGMA user_version`: the newest format that this code knows, in which rows have a `Seal`.
  static let version: Int64 = 2
  /// The formats that are read. Writing to an older one makes it the newest: its rows may stay.
  static let readable: ClosedRange<Int64> = 1...version

  /// The tables, each with the reason for its shape.
  static let statements =
    [
      """
      -- digest and payload_bytes are those of the log that the session starts with: nothing for a
      -- root session, the shared past for a fork.
      CREATE TABLE sessions(
        id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, reactor TEXT NOT NULL,
        created_at INTEGER NOT NULL, parent INTEGER REFERENCES sessions(id), parent_seq INTEGER,
        digest BLOB NOT NULL, payload_bytes INTEGER NOT NULL,
        CHECK((parent IS NULL) = (parent_seq IS NULL))
      ) STRICT
      """,
      """
      -- id = session << 32 | seq, so that a session is one range of this table's own B-tree.
      CREATE TABLE events(
        id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, cause INTEGER NOT NULL,
        recorded_at INTEGER NOT NULL, payload TEXT NOT NULL
      ) STRICT
      """,
      """
      -- digest and payload_bytes are those of the session's whole log up to last_seq.
      CREATE TABLE commits(
        position INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES sessions(id),
        first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, schema_version INTEGER NOT NULL,
        payload_bytes INTEGER NOT NULL, digest BLOB NOT NULL
      ) STRICT
      """,
      "CREATE UNIQUE INDEX commits_by_seq ON commits(session, last_seq)",
      """
      -- Deliveries that make input idempotent; seq is that of the action delivered.
      CREATE TABLE deliveries(
        session INTEGER NOT NULL REFERENCES sessions(id), delivery_id TEXT NOT NULL,
        seq INTEGER NOT NULL, body_digest BLOB NOT NULL, PRIMARY KEY(session, delivery_id)
      ) STRICT, WITHOUT ROWID
      """,
      "CREATE UNIQUE INDEX deliveries_by_seq ON deliveries(session, seq)",
      """
      -- A cache; safe to delete.
      CREATE TABLE snapshots(
        session INTEGER NOT NULL REFERENCES sessions(id), seq INTEGER NOT NULL,
        fold_id TEXT NOT NULL, log_digest BLOB NOT NULL, state TEXT NOT NULL
      ) STRICT
      """,
      "CREATE UNIQUE INDEX snapshots_by_fold ON snapshots(session, fold_id, seq)",
      """
      -- The effects that have not ended, so that opening a session needs no scan; seq is that of the
      -- pending event. A fork has rows of its own for those that its cut left open.
      CREATE TABLE open_effects(
        session INTEGER NOT NULL REFERENCES sessions(id), cause INTEGER NOT NULL,
        seq INTEGER NOT NULL, PRIMARY KEY(session, cause)
      ) STRICT, WITHOUT ROWID
      """,
      log,
    ] + guards

  /// For the sqlite3 shell: every event of every session, with what a fork inherits.
  private static let log = """
    CREATE VIEW log AS
    WITH RECURSIVE lineage(session, source, after, through) AS (
      SELECT id, id, ifnull(parent_seq, 0), 4294967295 FROM sessions
      UNION ALL
      SELECT lineage.session, older.id, ifnull(older.parent_seq, 0),
        min(lineage.through, younger.parent_seq)
      FROM lineage
      JOIN sessions AS younger ON younger.id = lineage.source
      JOIN sessions AS older ON older.id = younger.parent AND older.id < younger.id
    )
    SELECT sessions.name AS session, events.id & 4294967295 AS seq,
      CASE kind WHEN 1 THEN 'action' WHEN 2 THEN 'mutation' WHEN 3 THEN 'pending'
        WHEN 4 THEN 'completed' WHEN 5 THEN 'cancelled' WHEN 6 THEN 'failed' END AS kind,
      cause,
      strftime('%Y-%m-%dT%H:%M:%S', recorded_at / 1000000, 'unixepoch')
        || printf('.%06dZ', recorded_at % 1000000) AS at,
      payload
    FROM lineage
    JOIN sessions ON sessions.id = lineage.session
    JOIN events ON events.id > (lineage.source << 32) + lineage.after
      AND events.id <= (lineage.source << 32) + lineage.through
    """

  /// Triggers that keep the log append-only also for whoever opens the file in a shell.
  private static let guards = ["sessions", "events", "commits", "deliveries"].flatMap { table in
    ["UPDATE", "DELETE"].map { change in
      """
      CREATE TRIGGER \(table)_refuse_\(change.lowercased()) BEFORE \(change) ON \(table)
      BEGIN SELECT raise(ABORT, 'the log is append-only: \(table) refuses \(change)'); END
      """
    }
  }

  /// What a file is, as far as its header and schema say.
  enum Finding {
    case empty
    case store
  }

  /// Tells a store from an empty database.
  /// - Throws: `EventStoreError.notAStore`, `.newerFormat`, what SQLite says.
  static func inspect(_ connection: Connection) throws -> Finding {
    let path = connection.path
    // One statement, so that a store which another process makes meanwhile is seen whole or not.
    let seen = try connection.first(
      """
      SELECT (SELECT count(*) FROM sqlite_schema),
        (SELECT application_id FROM pragma_application_id),
        (SELECT user_version FROM pragma_user_version)
      """
    ) { ($0.integer(0), $0.integer(1), $0.integer(2)) }
    let (objects, application, format) = seen ?? (0, 0, 0)
    if application == applicationID {
      guard format <= version else {
        throw EventStoreError.newerFormat(path: path, found: Int(format), known: Int(version))
      }
      guard readable.contains(format) else {
        throw EventStoreError.notAStore(path: path, reason: "its format \(format) is unknown")
      }
      return .store
    }
    guard application == 0, format == 0, objects == 0 else {
      throw EventStoreError.notAStore(
        path: path, reason: "it is a SQLite database of another application")
    }
    return .empty
  }

  /// Makes an empty database a store, in WAL mode. Under the writer lock only.
  static func create(on connection: Connection) throws {
    try connection.execute("PRAGMA encoding = 'UTF-8'")
    try useWAL(connection)
    try connection.execute("BEGIN IMMEDIATE")
    do {
      // Another process may have been faster.
      if case .empty = try inspect(connection) { try createTables(on: connection) }
      try connection.execute("COMMIT")
    } catch {
      if connection.isInTransaction { try? connection.execute("ROLLBACK") }
      throw error
    }
  }

  /// Sees to it that the database is in WAL mode.
  static func useWAL(_ connection: Connection) throws {
    let mode = try connection.first("PRAGMA journal_mode = WAL") { $0.text(0) ?? "" } ?? ""
    guard mode == "wal" else {
      throw EventStoreError.cannotOpen(
        path: connection.path, reason: "its journal stays in mode \(mode), not WAL")
    }
  }

  /// Makes a store of an older format one of the newest. Under the writer lock only.
  static func upgrade(_ connection: Connection) throws {
    let format = try connection.first("PRAGMA user_version") { $0.integer(0) }
    if format != version { try connection.execute("PRAGMA user_version = \(version)") }
  }

  private static func createTables(on connection: Connection) throws {
    for statement in statements { try connection.execute(statement) }
    try connection.execute("PRAGMA application_id = \(applicationID)")
    try connection.execute("PRAGMA user_version = \(version)")
  }
}
