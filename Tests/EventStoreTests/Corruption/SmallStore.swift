import EventStoreCore
import EventStoreTesting
import Foundation

@testable import EventStoreSQLite

/// A small store that has a bit of everything, as the bytes of its files, with what is in it: to be
/// damaged in every possible way.
///
/// Its pages have 512 bytes, so that there are many of them, and its structures some depth.
struct SmallStore: Sendable {
  /// What was asked of a store.
  struct Content: Equatable, Sendable {
    /// One session.
    struct Log: Equatable, Sendable {
      var info: SessionInfo
      var events: [Event]
      var digest: Digest
      var commits: [Commit]
      var snapshots: [Snapshot]
      var openEffects: [Seq]
    }

    var logs: [Log]

    /// Reads everything that `store` has.
    init(of store: any EventStore) throws {
      logs = try store.sessions().map { info in
        Log(
          info: info, events: try store.allEvents(of: info.id),
          digest: try store.tail(of: info.id).digest,
          commits: try store.commits(of: info.id, after: .zero, limit: 1000),
          snapshots: try store.snapshots(of: info.id),
          openEffects: try store.openEffects(of: info.id).map(\.header.seq))
      }
    }

    /// Whether `other` is the same but for ends that were cut off.
    func isCutTo(_ other: Content) -> Bool {
      other.logs.allSatisfy { cut in
        guard let log = logs.first(where: { $0.info.id == cut.info.id }) else { return false }
        return log.info == cut.info && log.events.starts(with: cut.events)
          && (log.events.count == cut.events.count || log.digest != cut.digest)
      }
    }
  }

  static let pageSize = 512
  static let foldID = "counter@f"
  static let suffixes = ["", "-wal", "-shm", "-lock"]

  /// The bytes of the files, by what their names end in.
  var files: [String: [UInt8]]
  let content: Content

  /// A store that was closed: one file, and an empty lock file.
  ///
  /// - Parameter rounds: how much is in it, 1 or 2.
  static func closed(rounds: Int = 2) throws -> SmallStore {
    let folder = try TemporaryFolder()
    let store = try make(in: folder)
    try fill(store, 0..<rounds)
    let content = try Content(of: store)
    try store.close()
    return SmallStore(files: try files(in: folder), content: content)
  }

  /// A store in use: some commits are in the file, the newest in the -wal.
  static func inUse(reactor: String = "counter") throws -> SmallStore {
    let folder = try TemporaryFolder()
    let store = try make(in: folder)
    try fill(store, 0..<1, reactor)
    try store.checkpoint()
    try fill(store, 1..<2, reactor)
    let content = try Content(of: store)
    let files = try files(in: folder)
    try store.close()
    return SmallStore(files: files, content: content)
  }

  private static func make(in folder: TemporaryFolder) throws -> SQLiteEventStore {
    let raw = try RawDatabase(folder.file())
    try raw.run("PRAGMA page_size = \(pageSize); VACUUM")
    return try folder.store()
  }

  /// Fills `store` in two rounds, so that what is in its -wal is behind what is in its file.
  private static func fill(
    _ store: any EventStore, _ rounds: Range<Int>, _ reactor: String = "counter"
  ) throws {
    for round in rounds {
      for name in ["s1", "s2"] {
        let found = try store.session(named: SessionName(name))?.id
        let session = try found ?? store.createSession(name, reactor: reactor)
        try fill(session, of: store, "\(name)-\(round)")
      }
      let parent = SessionID(1)
      let fork = try store.fork(parent, at: UInt32(9 + 3 * round), named: "fork-\(round)")
      let end = try store.tail(of: fork).version
      try store.append(EventBatch(actions: 2, after: end), to: fork)
    }
  }

  private static func fill(
    _ session: SessionID, of store: any EventStore, _ name: String
  ) throws {
    var version = try store.tail(of: session).version
    for number in 0..<4 {
      var batch = EventBatch(
        actions: 2, after: version, payload: "{\"add\":\(number),\"in\":\"\(name)\"}")
      batch.setDelivery(Delivery("cmd-\(name)-\(number)"), at: 0)
      version = try store.append(batch, to: session).lastSeq
    }
    // Longer than a page.
    let long = "\"" + String(repeating: "long \(name) ", count: 120) + "\""
    version = try store.append(to: session, [(.action, 0, long)]).lastSeq
    let action = version.rawValue
    version = try store.append(to: session, [(.pending, action, "{\"owner\":1}")]).lastSeq
    if name.hasSuffix("-0") {
      version = try store.append(to: session, [(.completed, action, "")]).lastSeq
    }
    try store.save(
      Snapshot(
        seq: version, foldID: Self.foldID, logDigest: try store.tail(of: session).digest,
        state: Array("{\"value\":\(version),\"name\":\"\(name)\"}".utf8)),
      of: session)
  }

  private static func files(in folder: TemporaryFolder) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for suffix in suffixes {
      if let bytes = FileManager.default.contents(atPath: folder.file() + suffix) {
        files[suffix] = Array(bytes)
      }
    }
    return files
  }

  /// How many pages the file has.
  var pageCount: Int { (files[""] ?? []).count / Self.pageSize }

  /// The bytes of page `number`, 1-based.
  func page(_ number: Int) -> ArraySlice<UInt8> {
    (files[""] ?? [])[(number - 1) * Self.pageSize..<number * Self.pageSize]
  }

  /// Puts `bytes` in the place of page `number`.
  mutating func setPage(_ number: Int, _ bytes: some Collection<UInt8>) {
    files["", default: []].replaceSubrange(
      (number - 1) * Self.pageSize..<number * Self.pageSize, with: bytes)
  }

  /// Writes the files into `folder`, in the place of those that are there.
  func write(to folder: TemporaryFolder) throws {
    for name in try folder.files { unlink(folder.file(name)) }
    for (suffix, bytes) in files {
      guard let file = fopen(folder.file() + suffix, "w") else {
        throw CocoaError(.fileWriteUnknown)
      }
      fwrite(bytes, 1, bytes.count, file)
      fclose(file)
    }
  }
}
