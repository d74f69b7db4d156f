import EventStoreCore
import Foundation

/// Brings out of a damaged store whatever is whole, without changing it.
///
///     let recovery = try StoreRecovery(of: "damaged.sqlite", reactors: ["counter"]) { _ in nil }
///     try recovery.run(into: store, bringAside: { event in … }, report: { session in … })
///
/// Pages are read without SQLite. What a page says is believed only where the chain of digests proves it.
package final class StoreRecovery {
  /// What is to be said of the whole store, in plain words; nothing where nothing was off.
  package private(set) var notes: [String] = []

  private let path: String
  private let reactors: [String]
  private let bodyDigest: (_ action: [UInt8]) -> Digest?
  private let rows: FoundSelects
  private let found: FoundRows

  /// Reads the store at `path`.
  ///
  /// - Parameters:
  ///   - reactors: names that a session's reactor may have, where its own was lost.
  ///   - patience: how long a writer of the store is waited for, in seconds. None may write meanwhile.
  ///   - bodyDigest: what a delivery of an action is known by, where its digest was lost.
  /// - Throws: `EventStoreError.noSuchStore`, `.notAStore`, `.cannotOpen`, `.locked`, `.system`.
  /// - Complexity: O(bytes of the file), in constant memory; a temporary file as large as the store.
  package init(
    of path: String, reactors: [String], patience: Double = 10,
    bodyDigest: @escaping (_ action: [UInt8]) -> Digest?
  ) throws {
    (self.path, self.reactors, self.bodyDigest) = (path, reactors, bodyDigest)
    let place = try StoreFile(named: path)
    guard place.exists else { throw EventStoreError.noSuchStore(path: path) }
    try place.requireFilesBeside()
    let lock = try ReadingLock(of: place, seconds: patience)
    defer { lock?.release() }
    let file = try DamagedFile(place.path, name: path)
    found = try FoundRows(name: "the temporary files of this recovery")
    try found.fill(from: file)
    rows = try FoundSelects(found)
    guard try rows.nextSession(after: 0) != nil || Self.isStore(file) else {
      throw EventStoreError.notAStore(path: path, reason: "nothing of a store was found in it")
    }
    try note(file)
  }

  /// Writes all that is proven to `store`, which is empty.
  ///
  /// - Parameters:
  ///   - isCancelled: asked now and then; true ends the recovery with a `CancellationError`.
  ///   - bringAside: takes events that belong to no session of the new store.
  ///   - report: takes what became of each session, oldest first.
  /// - Throws: `EventStoreError` of the new store; what the two throw.
  package func run(
    into store: any EventStore, isCancelled: @escaping () -> Bool = { false },
    bringAside: @escaping (LostEvent) throws -> Void,
    report: (RecoveredSession) throws -> Void
  ) throws {
    let search = StartSearch(in: store, reactors: try rows.reactors() + reactors)
    var number: Int32 = 0
    while let session = try rows.nextSession(after: number) {
      number = session.rawValue
      try report(try recover(session, search, store, isCancelled, bringAside))
    }
  }

  private func recover(
    _ session: SessionID, _ search: StartSearch, _ store: any EventStore,
    _ isCancelled: @escaping () -> Bool, _ bringAside: @escaping (LostEvent) throws -> Void
  ) throws -> RecoveredSession {
    let log = try FoundLog(of: session, in: rows)
    let start = try search.start(of: log)
    var outcome = RecoveredSession(number: session.rawValue, name: start.name.rawValue)
    (outcome.reactor, outcome.notes) = (start.reactor, start.notes)
    var recovery = try SessionRecovery(
      log, outcome, start: start.seq, digest: start.digest,
      writer: RecoveredLog(start, in: store, bodyDigest: bodyDigest), isCancelled: isCancelled,
      bringAside: bringAside)
    if let info = try recovery.run() { search.note(session, info) }
    return recovery.outcome
  }

  // MARK: The whole file

  private static func isStore(_ file: DamagedFile) throws -> Bool {
    try file.page(1)?.number(68, size: 4) == Int(Schema.applicationID)
  }

  private func note(_ file: DamagedFile) throws {
    if let missing = try file.missingPages() { notes.append("\(missing)") }
    if found.unreadablePages > 0 {
      notes.append(
        "\(found.unreadablePages) of \(file.pages) pages are not pages of a store: they were overwritten, "
          + "and what was on them is lost")
    }
    if file.damagedFrames > 0 {
      let pages = file.damagedFrames == 1 ? "1 page" : "\(file.damagedFrames) pages"
      notes.append("\(pages) of \(path)-wal \(file.damagedFrames == 1 ? "is" : "are") damaged")
    }
    let commits = try found.connection.first(
      """
      SELECT count(DISTINCT position), max(position) FROM commits WHERE is_whole AND standing < 2
      """
    ) { ($0.integer(0), $0.integer(1)) }
    if let (count, last) = commits, count < last {
      let lost = last - count
      notes.append("\(lost) of \(last) commits \(lost == 1 ? "was" : "were") lost or altered")
    }
  }
}

/// The lock that keeps writers from a store while it is read without SQLite.
private final class ReadingLock {
  private let descriptor: Int32

  /// nil where there is no lock file: then nobody has the store open.
  /// - Throws: `EventStoreError.locked`.
  init?(of file: StoreFile, seconds: Double) throws {
    descriptor = open(file.path + "-lock", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return nil }
    let deadline = ContinuousClock.now + .seconds(seconds)
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0 {
      // Where the file system has no such locks there are no writers either.
      guard errno == EWOULDBLOCK || errno == EINTR else { return }
      guard ContinuousClock.now < deadline else {
        close(descriptor)
        throw EventStoreError.locked(path: file.name, seconds: seconds)
      }
      usleep(1000)
    }
  }

  func release() { close(descriptor) }
}
