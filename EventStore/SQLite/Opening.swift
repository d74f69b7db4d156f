import CSQLite
import EventStoreCore

/// The steps by which a file becomes an open store.
struct Opening: Sendable {
  let file: StoreFile
  let options: SQLiteEventStore.Options

  /// Where readers read.
  enum Source: Sendable {
    case file(Connection.Mode)
    case copy(PrivateCopy)

    /// The copy, where there is one.
    var copy: PrivateCopy? {
      switch self {
      case .copy(let copy): copy
      case .file: nil
      }
    }
  }

  /// Sees to it that there is a store which may be used as asked for. Leaves any other file alone.
  func prepare() throws {
    switch options.access {
    case .readOnly:
      guard file.exists else { throw EventStoreError.noSuchStore(path: file.name) }
      guard file.permissions.mayRead else { throw denied }
      try undoInterruptedChange()
    case .readWrite:
      guard file.exists else { throw EventStoreError.noSuchStore(path: file.name) }
      try prepareWriting()
    case .readWriteCreating:
      if !file.exists { try create() }
      try prepareWriting()
    }
  }

  /// Makes the store under the writer lock, taken before there is a file: whoever finds one that is
  /// empty can tell by the lock that somebody is about to fill it.
  private func create() throws {
    try file.requireCreatable()
    let lock = try WriterLock(LockFile(of: file.path), path: file.name)
    try lock.acquire(seconds: options.patience)
    defer { lock.release() }
    // Somebody else may have been faster: then the file is his, and what it is shows behind this.
    guard try file.create() else { return }
    let connection = try connect(.writing)
    defer { connection.close() }
    try Schema.create(on: connection)
  }

  private func prepareWriting() throws {
    let permissions = file.permissions
    guard permissions.mayRead else { throw denied }
    try file.requireFilesBeside()
    guard permissions.mayWrite, permissions.mayWriteFolder else {
      throw EventStoreError.readOnly(path: file.name)
    }
    let connection = try connect(.writing)
    defer { connection.close() }
    // Looked at before the lock file is made, so that nothing is left beside somebody else's file.
    let isEmpty = try Schema.inspect(connection) == .empty
    if !isEmpty { try Schema.requireWritable(connection) }
    // Commits of a process that was killed before it had synced them are read like all others, and what
    // is read is relied on: a delivery that is there already is acknowledged once more.
    let isUnsure = file.permissions.walBytes > 0
    guard isEmpty || isUnsure else { return }
    let lock = try WriterLock(LockFile(of: file.path), path: file.name)
    try lock.acquire(seconds: options.patience)
    defer { lock.release() }
    // Making the store would write over what recover can bring out. The store's tables are synced before
    // there is another commit: where more than one has its end in the -wal, none was torn by a crash.
    if isEmpty, try Schema.inspect(connection) == .empty, (try lostCommits(connection)) > 1 {
      throw empty(1)
    }
    if isUnsure { try connection.secureWAL() }
    if isEmpty { try Schema.create(on: connection) }
  }

  /// Undoes what a crash interrupted while the file was made, or was taken out of WAL mode by a tool
  /// of somebody's own. Nobody can read it before: a connection that only reads cannot undo it, and is
  /// told that the store cannot be written.
  private func undoInterruptedChange() throws {
    guard StoreFile.size(file.path + "-journal") > 0 else { return }
    let permissions = file.permissions
    guard permissions.mayWrite, permissions.mayWriteFolder else {
      throw EventStoreError.cannotOpen(
        path: file.name,
        reason: "a change to it was interrupted, and undoing that needs writing to its folder")
    }
    let lock = try WriterLock(LockFile(of: file.path), path: file.name)
    // Where somebody writes, it is his.
    guard (try? lock.acquire(seconds: 0)) != nil else { return }
    defer { lock.release() }
    let connection = try connect(.writing)
    defer { connection.close() }
    _ = try Schema.inspect(connection)
  }

  /// Where to read: the file, or a private copy of it.
  func source() throws -> Source {
    guard options.access == .readOnly else { return .file(.writing) }
    switch file.permissions.readingMode {
    case .inPlace: return .file(.reading)
    case .immutable: return .file(.immutable)
    case .privateCopy:
      try file.requireFilesBeside()
      return .copy(try PrivateCopy(of: file))
    }
  }

  /// A connection that reads a store whose tables are its own.
  func reader(of source: Source) throws -> LogReader {
    let connection = try connection(of: source)
    try Schema.requireReadable(connection)
    return try LogReader(connection)
  }

  /// A connection that reads a store whatever its schema.
  func connection(of source: Source) throws -> Connection {
    let connection = try file(of: source)
    try connection.execute("PRAGMA query_only = ON")
    if case .store = try Schema.inspect(connection) { return connection }
    // Somebody may be making the store at this moment.
    try WriterLock.await(LockFile(of: file.path), path: file.name, seconds: options.patience)
    guard case .store = try Schema.inspect(connection) else {
      throw empty(try lostCommits(connection))
    }
    return connection
  }

  private func file(of source: Source) throws -> Connection {
    switch source {
    case .file(let mode): try connect(mode)
    case .copy(let copy): try connect(.writing, to: copy.path)
    }
  }

  /// - Parameter lost: how many transactions lie in the -wal, where SQLite does not see them.
  private func empty(_ lost: Int) -> EventStoreError {
    .notAStore(
      path: file.name,
      reason: lost > 0
        ? "it is empty, and its -wal file is damaged"
        : "it is empty; a copy of a store that is in use needs its -wal file beside it")
  }

  /// How many transactions have their end in the -wal of the file of `connection`, which SQLite finds
  /// empty. Locks are on other files, so one more descriptor of the -wal does no harm.
  private func lostCommits(_ connection: Connection) throws -> Int {
    guard let wal = try RawFile(file.path + "-wal", name: file.name + "-wal") else { return 0 }
    return try DamagedFile(ConnectionFile(of: connection), wal: wal).walTransactions
  }

  /// The pages that the file of `source`, which is damaged, lacks; nil also where that cannot be told.
  func missingPages(of source: Source) -> MissingPages? {
    guard let connection = try? file(of: source) else { return nil }
    defer { connection.close() }
    let wal = try? RawFile((source.copy?.path ?? file.path) + "-wal", name: file.name + "-wal")
    return try? DamagedFile(ConnectionFile(of: connection), wal: wal).missingPages()
  }

  /// Another file under the same name is another store.
  /// - Throws: `EventStoreError.removed`.
  func requireFile(_ identity: FileIdentity?) throws {
    if FileIdentity(of: file.path) != identity { throw EventStoreError.removed(path: file.name) }
  }

  /// The connection that writes.
  ///
  /// - Parameters:
  ///   - identity: the file that was opened first.
  ///   - afterFailure: whether it takes the place of one that cannot be used any more.
  func writer(of identity: FileIdentity?, afterFailure: Bool) throws -> Writer {
    let lock = try WriterLock(LockFile(of: file.path), path: file.name)
    let connection = try connect(.writing)
    // Somebody may have left the WAL mode with a tool of his own. Changing it is a write.
    try lock.acquire(seconds: options.patience)
    defer { lock.release() }
    try Schema.requireWritable(connection)
    try Schema.useWAL(connection)
    try Schema.upgrade(connection)
    if afterFailure { try connection.secureWAL() }
    let level = options.synchronous == .full ? "FULL" : "NORMAL"
    try connection.execute(
      """
      PRAGMA synchronous = \(level);
      PRAGMA journal_size_limit = \(Self.journalBytes);
      PRAGMA temp_store = MEMORY
      """)
    if let pages = options.maximumPages {
      try connection.execute("PRAGMA max_page_count = \(pages)")
    }
    let files = OpenFiles(of: file.path, name: file.name, identity)
    try files.requireInPlace()
    return try Writer(connection, lock: lock, files: files, walLimit: options.walLimit)
  }

  /// Removes -wal and -shm, where nobody else has the store open, after a use that wrote nothing.
  /// A store opened for reading keeps a -wal that holds something: reading changes nothing.
  func tidy() throws {
    let permissions = file.permissions
    guard permissions.mayWrite, permissions.mayWriteFolder, StoreFile.exists(file.path + "-wal"),
      options.access != .readOnly || permissions.walBytes == 0
    else { return }
    let lock = try WriterLock(LockFile(of: file.path), path: file.name)
    // Where somebody writes, he does it when he closes.
    try lock.acquire(seconds: 0)
    defer { lock.release() }
    let connection = try connect(.writing)
    defer { connection.close() }
    // A connection that has not read anything does not know of the WAL yet.
    _ = try Schema.inspect(connection)
    guard try connection.checkpoint(.truncating) else { return }
    try connection.setCheckpointsOnClose(true)
  }

  /// What a -wal file keeps of its size when it starts over.
  private static let journalBytes = 8 << 20

  private var denied: EventStoreError {
    .cannotOpen(path: file.name, reason: "its permissions do not allow reading it")
  }

  private func connect(_ mode: Connection.Mode, to path: String? = nil) throws -> Connection {
    try Connection(
      file: path ?? file.path, mode: mode, path: file.name, patience: options.patience,
      vfs: options.vfs)
  }
}
