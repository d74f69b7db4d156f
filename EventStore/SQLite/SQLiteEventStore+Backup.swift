import EventStoreCore

extension SQLiteEventStore {
  /// What a backup holds.
  public struct Backup: Hashable, Sendable {
    /// How many sessions.
    public let sessions: Int
    /// How many events, those that a fork inherits counted with it.
    public let events: Int
    /// The newest commit: every commit up to it is there, and none behind it. Nil without one.
    public let position: Position?
    /// The size of the file.
    public let bytes: Int
  }

  /// Copies the whole store, as it is at one moment, into a new file at `path`, while others read and
  /// write it. Works for a store that is only read, too.
  ///
  /// The copy is made under another name in the same folder, for its owner alone, verified like
  /// `verify(_:report:)` does, put on the disk, and only then given its name: there is a whole copy at
  /// `path` or none. While pages are copied, and not while they are verified, the WAL keeps what others
  /// commit: it grows by that.
  ///
  /// - Parameters:
  ///   - replaces: whether a file at `path` is replaced; not one that is in use.
  ///   - isCancelled: asked now and then; true ends the backup with a `CancellationError`.
  ///   - progress: called with the pages copied so far, and how many there are.
  /// - Throws: `EventStoreError.fileExists`; `.inUse`; `.damaged` where the copy, so the store, does not
  ///   verify; `.cannotOpen`, `.diskFull`, `.system`, `.sqlite`. Nothing is left behind.
  /// - Complexity: O(n) for n bytes, in constant memory.
  @discardableResult
  public func backup(
    to path: String, replacing replaces: Bool = false, isCancelled: () -> Bool = { false },
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws -> Backup {
    try readers.whileOpen {
      let file = try DraftStoreFile(named: path, of: opening.file, replaces: replaces)
      do {
        try copyPages(to: file) { done, total in
          if isCancelled() { throw CancellationError() }
          progress(done, total)
        }
        let backup = try check(file, isCancelled)
        try file.finish()
        return backup
      } catch {
        file.abandon()
        throw isCancelled() ? CancellationError() : error
      }
    }
  }

  /// How many pages are copied between two looks at whether to go on.
  private static let portion: Int32 = 1024

  private func copyPages(
    to file: DraftStoreFile, _ each: (_ done: Int, _ total: Int) throws -> Void
  ) throws {
    let store = try opening.connection(of: source)
    defer { store.close() }
    // One read transaction for all portions: without it, SQLite would begin anew after each commit of
    // somebody else.
    try store.execute("BEGIN")
    guard case .store = try Schema.inspect(store) else {
      throw EventStoreError.notAStore(path: path, reason: "it is empty")
    }
    let copy = try Connection(
      file: file.part, mode: .writing, path: file.name, patience: options.patience)
    defer { copy.close() }
    // Nobody else knows of the file, and it is put on the disk when it is whole.
    try copy.execute("PRAGMA journal_mode = MEMORY; PRAGMA synchronous = OFF")
    try store.copy(to: copy, pages: Self.portion, each: each)
  }

  private func check(_ file: DraftStoreFile, _ isCancelled: () -> Bool) throws -> Backup {
    let copy = try Connection(
      file: file.part, mode: .immutable, path: file.name, patience: options.patience)
    defer { copy.close() }
    return try copy.interruptible(when: isCancelled) {
      try verify(copy)
      let reader = try LogReader(copy)
      let sessions = try reader.sessions()
      let events = try sessions.reduce(0) { try $0 + Int(reader.tail(of: $1.id).version.rawValue) }
      let position = try copy.first("SELECT max(position) FROM commits") {
        $0.isNull(0) ? nil : Position($0.integer(0))
      }
      return Backup(
        sessions: sessions.count, events: events, position: position ?? nil,
        bytes: StoreFile.size(file.part))
    }
  }

  private func verify(_ copy: Connection) throws {
    var first: VerifyFinding?
    let verifier = try StoreVerifier(copy, try Schema.flaws(of: copy)) { first = first ?? $0 }
    defer { verifier.finish() }
    try verifier.verify(nil)
    if let first {
      throw EventStoreError.damaged(
        path: path, reason: "its copy does not verify, and was removed: \(first)")
    }
  }
}
