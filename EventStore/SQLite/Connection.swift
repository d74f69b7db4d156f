import CSQLite
import EventStoreCore

/// One SQLite connection and the statements prepared on it. Owns both; closed also when an open
/// failed half-way.
///
/// Not to be used by two threads at a time: each belongs to the writer or to one reader, which are
/// handed from thread to thread under a lock.
final class Connection {
  /// How to open a file.
  struct Mode {
    var flags: Int32
    /// Reads the file as if nobody could ever change it: no locks, no -wal, no -shm.
    var immutable = false
    /// Whether the file's triggers and views act, and all that SQLite can do is allowed, as in tools of
    /// people's own. The store needs neither, and what somebody else put there, even while the file is
    /// open, must not run in its name.
    var runsSchema = false

    /// Reads and writes a file that is there.
    static let writing = Mode(flags: SQLITE_OPEN_READWRITE)
    /// Reads a file that is there.
    static let reading = Mode(flags: SQLITE_OPEN_READONLY)
    /// Reads a file that nobody can change.
    static let immutable = Mode(flags: SQLITE_OPEN_READONLY, immutable: true)
  }

  /// The store's path as the user gave it, for messages.
  let path: String
  /// How long SQLite's own locks are waited for, in seconds.
  let patience: Double
  /// How many pages the WAL has since the last commit of this connection.
  var walPages: Int { Int(walCount.pointee) }

  private var handle: OpaquePointer?
  private var statements: [Statement] = []
  private let walCount = UnsafeMutablePointer<Int32>.allocate(capacity: 1)

  /// Opens `file`, an absolute path.
  ///
  /// - Parameters:
  ///   - path: what messages call it.
  ///   - vfs: the SQLite VFS to use it through; nil for the system's.
  /// - Throws: `EventStoreError.cannotOpen`, or what SQLite says.
  init(file: String, mode: Mode, path: String, patience: Double, vfs: String? = nil) throws {
    self.path = path
    self.patience = patience
    walCount.initialize(to: 0)
    let name = mode.immutable ? Self.uri(of: file) + "?immutable=1" : file
    let flags =
      mode.flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
      | (mode.immutable ? SQLITE_OPEN_URI : 0)
    let code = sqlite3_open_v2(name, &handle, flags, vfs)
    guard code == SQLITE_OK else { throw error(code, sql: nil) }
    try configure(mode)
  }

  deinit {
    close()
    walCount.deallocate()
  }

  /// Finalizes every statement and closes. Does nothing the second time.
  func close() {
    for statement in statements { statement.finalize() }
    statements = []
    sqlite3_close_v2(handle)
    handle = nil
  }

  /// Whether a transaction is open.
  var isInTransaction: Bool { handle.map { sqlite3_get_autocommit($0) == 0 } ?? false }

  /// How many rows were written since the connection was opened.
  var changes: Int32 { handle.map { sqlite3_total_changes($0) } ?? 0 }

  /// How many bytes the file has.
  var fileSize: Int { handle.map { Int(refold_file_size($0)) } ?? 0 }

  /// The `count` bytes of the file at `offset`, all of which it has, read past SQLite's cache and -wal.
  /// - Throws: what SQLite says.
  func readFile(at offset: Int, count: Int) throws -> [UInt8] {
    guard let handle else { throw EventStoreError.closed }
    var bytes = [UInt8](repeating: 0, count: count)
    try check(refold_read_file(handle, Int64(offset), &bytes, Int32(clamping: count)), sql: nil)
    return bytes
  }

  /// Runs statements that give no rows, one after the other.
  func execute(_ sql: String) throws {
    guard let handle else { throw EventStoreError.closed }
    try check(sqlite3_exec(handle, sql, nil, nil, nil), sql: sql)
  }

  /// Prepares a statement that is used again and again until the connection closes.
  func prepare(_ sql: String) throws -> Statement {
    let statement = try Statement(sql, on: self, flags: UInt32(SQLITE_PREPARE_PERSISTENT))
    statements.append(statement)
    return statement
  }

  /// Prepares a statement that its user finalizes.
  func once(_ sql: String) throws -> Statement { try Statement(sql, on: self, flags: 0) }

  /// Runs `sql` once and gives what `read` makes of its first row.
  func first<T>(
    _ sql: String, _ values: SQLValue..., read: (Statement) throws -> T
  ) throws -> T? {
    let statement = try Statement(sql, on: self, flags: 0)
    defer { statement.finalize() }
    return try statement.first(values, read: read)
  }

  /// Runs `sql` once and gives what `read` makes of each row.
  func all<T>(_ sql: String, _ values: SQLValue..., read: (Statement) throws -> T) throws -> [T] {
    let statement = try Statement(sql, on: self, flags: 0)
    defer { statement.finalize() }
    return try statement.all(values, read: read)
  }

  /// Sets whether closing the last connection checkpoints and deletes the -wal file. Off, because
  /// no checkpoint may happen outside the writer lock.
  func setCheckpointsOnClose(_ on: Bool) throws {
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, on ? 0 : 1)
  }

  /// How the WAL is written back.
  enum Checkpoint {
    /// As far as readers allow, waiting for none.
    case passive
    /// Whole, so that the next commit begins at its start: waits for the readers that are reading.
    case restarting(milliseconds: Int32)
    /// Whole, and leaves it empty, unless somebody reads it.
    case truncating
  }

  /// Writes pages of the WAL back into the database file.
  ///
  /// - Returns: whether it was done as asked for, and all of them are back. Under the writer lock only.
  func checkpoint(_ kind: Checkpoint) throws -> Bool {
    guard let handle else { throw EventStoreError.closed }
    let (mode, milliseconds): (Int32, Int32) =
      switch kind {
      case .passive: (SQLITE_CHECKPOINT_PASSIVE, 0)
      case .restarting(let milliseconds): (SQLITE_CHECKPOINT_RESTART, milliseconds)
      case .truncating: (SQLITE_CHECKPOINT_TRUNCATE, 0)
      }
    // Readers are waited for by the busy timeout: not for as long as another writer would be.
    sqlite3_busy_timeout(handle, milliseconds)
    defer { sqlite3_busy_timeout(handle, busyTimeout) }
    var (pages, done): (Int32, Int32) = (0, 0)
    let code = sqlite3_wal_checkpoint_v2(handle, nil, mode, &pages, &done)
    if code & 0xff == SQLITE_BUSY { return false }
    try check(code, sql: "checkpoint")
    if case .truncating = kind { walCount.pointee = 0 }
    return pages == done
  }

  /// Makes durable all that the WAL holds, also what an earlier sync failed to write.
  ///
  /// Under the writer lock only, and in no transaction.
  func secureWAL() throws {
    guard let handle else { throw EventStoreError.closed }
    // Against tools that do not know the writer lock: what they wrote meanwhile would be undone.
    try execute("BEGIN IMMEDIATE")
    defer { try? execute("ROLLBACK") }
    try check(refold_secure_wal(handle), sql: "sync of the WAL")
  }

  /// Compiles `sql`; whoever asks finalizes it.
  func prepared(_ sql: String, flags: UInt32) throws -> OpaquePointer {
    guard let handle else { throw EventStoreError.closed }
    var statement: OpaquePointer?
    try check(sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil), sql: sql)
    guard let statement else { throw error(SQLITE_MISUSE, sql: sql) }
    return statement
  }

  /// Copies the database page by page over that of `target`, as the transaction that is open here
  /// sees it (sqlite.org/c3ref/backup_finish.html), and calls `each` between two portions of `pages`.
  ///
  /// - Throws: what either connection says; what `each` throws.
  func copy(
    to target: Connection, pages: Int32, each: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    guard let handle, let other = target.handle else { throw EventStoreError.closed }
    guard let backup = sqlite3_backup_init(other, "main", handle, "main") else {
      throw target.error(sqlite3_errcode(other), sql: "backup")
    }
    var code = SQLITE_OK
    do {
      while code == SQLITE_OK {
        code = sqlite3_backup_step(backup, pages)
        let total = Int(sqlite3_backup_pagecount(backup))
        if code == SQLITE_OK { try each(total - Int(sqlite3_backup_remaining(backup)), total) }
      }
    } catch {
      sqlite3_backup_finish(backup)
      throw error
    }
    sqlite3_backup_finish(backup)
    switch code & 0xff {
    case SQLITE_DONE: return
    case SQLITE_CORRUPT, SQLITE_NOTADB: throw error(code, sql: "backup")
    default: throw target.error(code, sql: "backup")
    }
  }

  /// Runs `body`, and ends the statement that it is at, with an error, when `isOver` says so.
  func interruptible<T>(when isOver: () -> Bool, _ body: () throws -> T) rethrows -> T {
    try withoutActuallyEscaping(isOver) { isOver in
      let question = Question(isOver)
      // SQLite asks on this thread, from inside `body`, during which `question` is kept alive.
      let pointer = Unmanaged.passUnretained(question).toOpaque()
      let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { pointer in
        guard let pointer else { return 0 }
        return Unmanaged<Question>.fromOpaque(pointer).takeUnretainedValue().isOver() ? 1 : 0
      }
      sqlite3_progress_handler(handle, Self.instructions, ask, pointer)
      defer { sqlite3_progress_handler(handle, 0, nil, nil) }
      return try withExtendedLifetime(question, body)
    }
  }

  /// How many instructions of SQLite's machine, some tenths of a millisecond, lie between two looks.
  private static let instructions: Int32 = 10_000

  private final class Question {
    let isOver: () -> Bool
    init(_ isOver: @escaping () -> Bool) { self.isOver = isOver }
  }

  private func configure(_ mode: Mode) throws {
    guard let handle else { throw EventStoreError.closed }
    sqlite3_busy_timeout(handle, busyTimeout)
    try configure(SQLITE_DBCONFIG_DEFENSIVE, mode.runsSchema ? 0 : 1)
    try configure(SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    try configure(SQLITE_DBCONFIG_ENABLE_TRIGGER, mode.runsSchema ? 1 : 0)
    try configure(SQLITE_DBCONFIG_ENABLE_VIEW, mode.runsSchema ? 1 : 0)
    try configure(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    if !mode.runsSchema { try limitWhatFilesCanAsk(handle) }
    // Takes the place of SQLite's own automatic checkpoint, which is a hook too; setting
    // wal_autocheckpoint, even to 0, would take this one away.
    sqlite3_wal_hook(
      handle,
      { count, _, _, pages in
        count?.assumingMemoryBound(to: Int32.self).pointee = pages
        return SQLITE_OK
      }, walCount)
  }

  private func configure(_ option: Int32, _ value: Int32) throws {
    try check(refold_db_config(handle, option, value), sql: nil)
  }

  private var busyTimeout: Int32 { Int32(clamping: Int(min(patience, 1e6) * 1000)) }

  /// `file` as a URI in which `?`, `#` and `%` mean themselves.
  private static func uri(of file: String) -> String {
    let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/".utf8)
    let digits = Array("0123456789ABCDEF".utf8)
    let escaped = file.utf8.flatMap { byte in
      plain.contains(byte) ? [byte] : [37, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
    return "file:" + String(decoding: escaped, as: UTF8.self)
  }
}

extension Connection {
  /// Throws unless `code` says that all is well.
  func check(_ code: Int32, sql: String?) throws {
    if code != SQLITE_OK { throw error(code, sql: sql) }
  }

  /// What SQLite's result `code` means to a user of the store.
  func error(_ code: Int32, sql: String?) -> EventStoreError {
    let message = handle.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
    let systemCode = handle.map { sqlite3_system_errno($0) } ?? 0
    // What came behind the failure may have left its own number there; the file keeps that of its last.
    let fileCode = handle.map { refold_last_errno($0) } ?? 0
    switch code & 0xff {
    case SQLITE_FULL: return .diskFull(path: path)
    case SQLITE_IOERR where !Self.noRoom.isDisjoint(with: [systemCode, fileCode]):
      return .diskFull(path: path)
    case SQLITE_CANTOPEN where Self.shortage.contains(systemCode):
      return .system(operation: "open", path: path, code: systemCode)
    case SQLITE_BUSY, SQLITE_LOCKED: return .locked(path: path, seconds: patience)
    case SQLITE_READONLY: return .readOnly(path: path)
    case SQLITE_CORRUPT: return .damaged(path: path, reason: message)
    case SQLITE_NOTADB: return .notAStore(path: path, reason: "it is not a SQLite database")
    case SQLITE_CANTOPEN: return .cannotOpen(path: path, reason: message)
    default: return .sqlite(code: code, message: message, sql: sql, path: path)
    }
  }

  private static let noRoom: Set<Int32> = [ENOSPC, EDQUOT, EFBIG]
  /// The process, not the file, is what is wrong.
  private static let shortage: Set<Int32> = [EMFILE, ENFILE, ENOMEM]
}
