import EventStoreCore
import Foundation

/// A store in one SQLite file, shared safely with other processes.
///
///     let store = try SQLiteEventStore(path: "app.sqlite")
///     defer { try? store.close() }
///
/// Writers take turns, those of other processes included, for one transaction each; readers wait
/// for nobody. While the store is open, `-wal`, `-shm` and `-lock` lie beside the file; when the
/// last process has closed it, only `-lock` is left, which holds nothing.
public final class SQLiteEventStore: EventStore {
  /// How a store is opened.
  public struct Options: Sendable {
    /// When a commit counts as durable.
    public var synchronous: Synchronous
    /// How long other writers are waited for, in seconds.
    public var patience: Double
    /// What may be done to the store.
    public var access: Access
    /// How long after the last commit the WAL is emptied, in seconds.
    public var idleSeconds = 2.0
    /// The WAL, in pages of 4 KiB, beyond which it is written back into the file after a commit.
    package var walLimit = 1024
    /// How many pages the file may have; nil for no limit. For tests of a full disk.
    package var maximumPages: Int?
    /// The SQLite VFS that its files are used through; nil for the system's. For tests of a disk that
    /// fails.
    package var vfs: String?

    /// Options, by default those of a program that writes and wants to lose nothing.
    public init(
      synchronous: Synchronous = .full, patience: Double = 10,
      access: Access = .readWriteCreating
    ) {
      self.synchronous = synchronous
      self.patience = patience
      self.access = access
    }
  }

  /// When a commit counts as durable.
  public enum Synchronous: String, CaseIterable, Sendable {
    /// When it has reached the disk: it survives a loss of power.
    case full
    /// When the system has it: it survives a crash of the process, but a loss of power may take the
    /// last commits, never a part of one.
    case normal
  }

  /// What may be done to a store.
  public enum Access: Sendable {
    /// Read and write; where there is no file, one is made.
    case readWriteCreating
    /// Read and write a store that is there.
    case readWrite
    /// Read a store that is there, also where nothing may be written.
    case readOnly
  }

  /// The path as it was given.
  public let path: String
  /// How it was opened.
  public let options: Options

  let readers: ReaderPool
  let writers: WriterQueue
  let lockFile: LockFile
  private let idle: IdleCheckpoint
  private let copy: PrivateCopy?
  let opening: Opening
  let source: Opening.Source
  /// The file that was opened first.
  let identity: FileIdentity?

  /// Opens the store at `path`, and makes it where `options` ask for that.
  ///
  /// A store whose tables or triggers are not those that this code makes is damaged. Opened for
  /// reading, it can still be verified.
  ///
  /// - Throws: `EventStoreError.noSuchStore`, `.cannotOpen`, `.notAStore`, `.newerFormat`,
  ///   `.networkFileSystem`, `.readOnly`, `.locked`, `.damaged`, `.diskFull`, `.system`, `.sqlite`.
  public convenience init(path: String, options: Options = .init()) throws {
    try self.init(StoreFile(named: path), options: options)
  }

  /// Opens the store in `file`.
  init(_ file: StoreFile, options: Options) throws {
    try file.requireLocalFileSystem()
    let opening = Opening(file: file, options: options)
    try opening.prepare()
    let source = try opening.source()
    self.source = source
    copy = source.copy
    self.opening = opening
    let identity = FileIdentity(of: file.path)
    self.identity = identity
    readers = ReaderPool {
      let reader = try opening.reader(of: source)
      try opening.requireFile(identity)
      return reader
    }
    writers = WriterQueue(path: file.name, patience: options.patience) {
      try opening.writer(of: identity, afterFailure: $0)
    }
    idle = IdleCheckpoint(seconds: options.idleSeconds, writers: writers)
    lockFile = LockFile(of: file.path)
    path = file.name
    self.options = options
    // Whatever is wrong with the file shows now, not with the first event. But what is damaged can be
    // opened for reading, to verify it; every other call throws.
    do {
      try readers.withReader { _ in }
    } catch EventStoreError.damaged where options.access == .readOnly {}
  }

  deinit { closeAll() }

  /// As `EventStore.transaction(_:)`.
  public func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T {
    try write { writer in
      let transaction = SQLiteTransaction(writer)
      defer { transaction.isOver = true }
      let result = try body(transaction)
      if let failure = transaction.failure { throw failure }
      return result
    }
  }

  /// As `EventStore.claimOwnership()`.
  public func claimOwnership() throws -> any OwnerToken {
    try requireWritable()
    return try LockFileToken(in: lockFile)
  }

  /// As `EventStore.isAlive(_:)`.
  public func isAlive(_ owner: UInt64) throws -> Bool {
    try LockFileToken.isAlive(owner, in: lockFile)
  }

  /// Empties the WAL into the file, as happens by itself after some idle time and on closing. Leaves
  /// what a running reader still needs.
  /// - Throws: `EventStoreError.locked` when other writers are at work for longer than the store's
  ///   patience.
  public func checkpoint() throws {
    try requireWritable()
    try writers.withWriter { try $0.truncateWAL(patience: options.patience) }
  }

  /// As `EventStore.close()`. Also happens when the store is deinitialized.
  public func close() throws { closeAll() }

  func write<T>(_ body: (Writer) throws -> T) throws -> T {
    try requireWritable()
    let result = try writers.withWriter { try $0.transaction(body) }
    idle.noteCommit()
    return result
  }

  private func requireWritable() throws {
    if options.access == .readOnly { throw EventStoreError.readOnly(path: path) }
  }

  private func closeAll() {
    writers.close(closeReaders: { readers.close() }, tidy: { try? opening.tidy() })
    copy?.remove()
  }
}
