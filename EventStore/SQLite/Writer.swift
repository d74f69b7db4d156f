import EventStoreCore

/// The connection that writes, and the lock that it takes for each transaction and checkpoint.
///
/// Not to be used by two threads at a time: `WriterQueue` sees to that.
final class Writer {
  let reader: LogReader
  let insert: Inserts
  /// How long closing waits to write the WAL back; where others write, they do it when they close.
  private static let closingPatience = 1.0
  /// How long readers are waited for, in milliseconds, when the WAL must begin anew. Each reads a page,
  /// a millisecond or so, where it is let; other writers wait as long.
  private static let readersPatience: Int32 = 500

  private let lock: WriterLock
  private let files: OpenFiles
  private let patience: Double
  private let walLimit: Int
  /// The size of the WAL, in pages, at which the next checkpoint is due.
  private var checkpointDue: Int
  /// Whether something failed by which the WAL may hold what no sync writes any more.
  private var isUnsure = false
  /// The size at which readers are waited for, so that it begins anew.
  private var restartDue: Int
  private var isCacheInDoubt = false
  private let begin: Statement
  private let commit: Statement
  private let rollback: Statement

  private var connection: Connection { reader.connection }

  /// Takes over `connection`, which is open on a store.
  ///
  /// - Parameter walLimit: the pages in the WAL beyond which they are written back.
  init(
    _ connection: Connection, lock: WriterLock, files: OpenFiles, walLimit: Int
  ) throws {
    self.lock = lock
    self.files = files
    self.walLimit = walLimit
    patience = connection.patience
    checkpointDue = walLimit
    restartDue = 2 * walLimit
    reader = try LogReader(connection)
    insert = try Inserts(connection)
    // IMMEDIATE: a deferred transaction that turns into a write fails at once with
    // SQLITE_BUSY_SNAPSHOT, whatever the busy timeout (sqlite.org/isolation.html).
    begin = try connection.prepare("BEGIN IMMEDIATE")
    commit = try connection.prepare("COMMIT")
    rollback = try connection.prepare("ROLLBACK")
  }

  /// Runs `body` in a transaction under the writer lock: all of it, or nothing where it throws.
  func transaction<T>(_ body: (Writer) throws -> T) throws -> T {
    try lock.acquire(seconds: patience)
    defer { lock.release() }
    try files.requireInPlace()
    try secure()
    try begin.run()
    let result: T
    do { result = try body(self) } catch {
      undo(after: error)
      throw error
    }
    do { try commit.run() } catch {
      undo(after: error)
      becomeUnsure()
      throw error
    }
    // What was written into a file that nobody finds any more must not be acknowledged.
    try files.requireInPlace()
    checkpointWhenDue()
    return result
  }

  /// Whether the connection is in order. It is not when even a rollback failed.
  var isUsable: Bool { !connection.isInTransaction && !isCacheInDoubt }

  /// Empties the WAL, unless another writer is at work or a reader still needs it.
  /// - Throws: `EventStoreError.locked`, what SQLite says.
  func truncateWAL(patience: Double) throws {
    try lock.acquire(seconds: patience)
    defer { lock.release() }
    try files.requireInPlace()
    try secure()
    _ = try checkpoint(.truncating)
  }

  /// Closes. Where no other process has the store open, -wal and -shm go, and one file remains.
  func close() {
    let isLocked = (try? lock.acquire(seconds: min(patience, Self.closingPatience))) != nil
    defer { if isLocked { lock.release() } }
    switch isLocked ? files.closing : .leave {
    case .writeBack:
      if (try? writeBack(emptying: true)) != nil { try? connection.setCheckpointsOnClose(true) }
    case .writeBackOnly(let emptying): try? writeBack(emptying: emptying)
    case .leave: break
    }
    connection.close()
  }

  private func writeBack(emptying: Bool) throws {
    try secure()
    _ = try checkpoint(emptying ? .truncating : .passive)
  }

  private func checkpoint(_ kind: Connection.Checkpoint) throws -> Bool {
    do { return try connection.checkpoint(kind) } catch {
      becomeUnsure()
      throw error
    }
  }

  /// At once, while nobody else writes; where that fails too, before anything else is written.
  private func becomeUnsure() {
    isUnsure = true
    try? secure()
  }

  private func secure() throws {
    guard isUnsure else { return }
    try connection.secureWAL()
    isUnsure = false
  }

  private func undo(after error: any Error) {
    if (error as? EventStoreError)?.leavesCacheInDoubt ?? false { isCacheInDoubt = true }
    if connection.isInTransaction { try? rollback.run() }
    reader.forgetLineages()
  }

  /// Writes the WAL back when it has become long, after which the next commit begins at its start.
  ///
  /// A reader may keep it from being written back whole, and readers that take turns without a pause
  /// keep it from beginning anew: when it has become twice as long, those of that moment are waited for
  /// a little. No new one needs the WAL then. Where that does not help, somebody reads for long, and is
  /// waited for each time that the WAL has doubled.
  private func checkpointWhenDue() {
    let pages = connection.walPages
    if pages < walLimit { (checkpointDue, restartDue) = (walLimit, 2 * walLimit) }
    guard pages >= checkpointDue else { return }
    checkpointDue = pages + walLimit
    // The commit is durable already: a checkpoint that fails is only tried again later.
    guard pages >= restartDue else {
      _ = try? checkpoint(.passive)
      return
    }
    let isWhole = try? checkpoint(.restarting(milliseconds: Self.readersPatience))
    restartDue = isWhole == true ? 2 * walLimit : 2 * pages
  }
}

/// The statements that write, prepared once.
struct Inserts {
  let session: Statement
  let events: EventInsertion
  let commit: Statement
  let delivery: Statement
  let openEffect: Statement
  let endEffect: Statement
  let snapshot: Statement
  let pruneSnapshots: Statement

  init(_ connection: Connection) throws {
    session = try connection.prepare(
      """
      INSERT INTO sessions(id, name, reactor, created_at, parent, parent_seq, digest, payload_bytes)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
      """)
    events = try EventInsertion(connection)
    commit = try connection.prepare(
      """
      INSERT INTO commits
        (position, session, first_seq, last_seq, schema_version, payload_bytes, digest)
      VALUES((SELECT ifnull(max(position), 0) + 1 FROM commits), ?1, ?2, ?3, ?4, ?5, ?6)
      RETURNING position
      """)
    delivery = try connection.prepare(
      "INSERT INTO deliveries(session, delivery_id, seq, body_digest) VALUES(?1, ?2, ?3, ?4)")
    openEffect = try connection.prepare(
      "INSERT INTO open_effects(session, cause, seq) VALUES(?1, ?2, ?3)")
    endEffect = try connection.prepare(
      "DELETE FROM open_effects WHERE session = ?1 AND cause = ?2")
    // Deleting first gives the row a new rowid, by which the newest are told.
    snapshot = try connection.prepare(
      """
      INSERT OR REPLACE INTO snapshots(session, seq, fold_id, log_digest, state)
      VALUES(?1, ?2, ?3, ?4, ?5)
      """)
    // In two ranges of the index, so that a fold's own, of which there may be many, are not passed.
    pruneSnapshots = try connection.prepare(
      """
      DELETE FROM snapshots WHERE rowid IN (
        SELECT rowid FROM snapshots WHERE session = ?1 AND fold_id < ?2
        UNION ALL
        SELECT rowid FROM snapshots WHERE session = ?1 AND fold_id > ?2
        ORDER BY rowid DESC LIMIT -1 OFFSET \(SnapshotLimits.ofOtherFolds))
      """)
  }
}
