/// The queries of a `LogReader`, prepared once and used again and again.
struct Selects {
  private static let sessionColumns =
    "id, name, reactor, created_at, parent, parent_seq, digest, payload_bytes"

  let sessions: Statement
  let sessionByName: Statement
  let sessionByID: Statement
  let newestSession: Statement
  let tablesKnowing: Statement
  let newestCommit: Statement
  let lastCommit: Statement
  let commits: Statement
  let events: Statement
  let eventIn: Statement
  let header: Statement
  let effectEvents: Statement
  let openEffects: Statement
  let openEffect: Statement
  let delivery: Statement
  let deliveriesInRange: Statement
  let snapshot: Statement
  let nextSnapshot: Statement

  init(_ connection: Connection) throws {
    let session = "SELECT \(Self.sessionColumns) FROM sessions"
    sessions = try connection.prepare("\(session) ORDER BY id")
    sessionByName = try connection.prepare("\(session) WHERE name = ?1")
    sessionByID = try connection.prepare("\(session) WHERE id = ?1")
    newestSession = try connection.prepare("\(session) ORDER BY id DESC LIMIT 1")
    tablesKnowing = try connection.prepare(
      """
      SELECT 'events' WHERE EXISTS
        (SELECT 1 FROM events WHERE id >= ?1 << 32 AND id <= (?1 << 32) + 4294967295)
      """
        + ["commits", "deliveries", "snapshots", "open_effects"].map {
          " UNION ALL SELECT '\($0)' WHERE EXISTS (SELECT 1 FROM \($0) WHERE session = ?1)"
        }.joined())
    newestCommit = try connection.prepare(
      "SELECT session FROM commits ORDER BY position DESC LIMIT 1")
    lastCommit = try connection.prepare(
      """
      SELECT last_seq, digest, payload_bytes FROM commits
      WHERE session = ?1 AND last_seq <= ?2 ORDER BY last_seq DESC LIMIT 1
      """)
    commits = try connection.prepare(
      """
      SELECT position, first_seq, last_seq, schema_version, digest FROM commits
      WHERE session = ?1 AND last_seq > ?2 AND first_seq <= ?3 ORDER BY last_seq LIMIT ?4
      """)
    events = try connection.prepare(
      """
      SELECT id, kind, cause, recorded_at, payload FROM events
      WHERE id > ?1 AND id <= ?2 ORDER BY id
      """)
    eventIn = try connection.prepare("SELECT 1 FROM events WHERE id > ?1 AND id <= ?2 LIMIT 1")
    header = try connection.prepare("SELECT id, kind, cause, recorded_at FROM events WHERE id = ?1")
    effectEvents = try connection.prepare(
      """
      SELECT id, kind, cause, recorded_at FROM events
      WHERE id > ?1 AND id <= ?2 AND kind >= 3 ORDER BY id
      """)
    openEffects = try connection.prepare(
      "SELECT seq FROM open_effects WHERE session = ?1 ORDER BY seq")
    openEffect = try connection.prepare(
      "SELECT 1 FROM open_effects WHERE session = ?1 AND cause = ?2")
    delivery = try connection.prepare(
      """
      SELECT seq, delivery_id, body_digest FROM deliveries
      WHERE session = ?1 AND delivery_id = ?2
      """)
    deliveriesInRange = try connection.prepare(
      """
      SELECT seq, delivery_id, body_digest FROM deliveries
      WHERE session = ?1 AND seq > ?2 AND seq <= ?3 ORDER BY seq
      """)
    snapshot = try connection.prepare(
      """
      \(Self.snapshotRows) WHERE session = ?1 AND fold_id = ?2 AND seq <= ?3
      ORDER BY seq DESC LIMIT 1
      """)
    nextSnapshot = try connection.prepare(Self.nextSnapshotText)
  }

  private static let snapshotRows = "SELECT seq, fold_id, log_digest, state FROM snapshots"

  /// By the index: from fold to fold, of which a session has few, and to the next seq of each.
  private static let nextSnapshotText = """
    WITH RECURSIVE folds(fold) AS (
      SELECT min(fold_id) FROM snapshots WHERE session = ?1
      UNION ALL
      SELECT (SELECT min(fold_id) FROM snapshots WHERE session = ?1 AND fold_id > fold)
      FROM folds WHERE fold IS NOT NULL
    )
    \(snapshotRows) WHERE session = ?1 AND (fold_id, seq) = (
      SELECT fold, (
        SELECT min(seq) FROM snapshots
        WHERE session = ?1 AND fold_id = fold AND seq > ?2 - (fold > ?3) AND seq <= ?4
      ) AS next
      FROM folds WHERE next IS NOT NULL ORDER BY next, fold LIMIT 1)
    """
}
