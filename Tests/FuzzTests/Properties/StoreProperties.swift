import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Refold
import SampleReactors
import Synchronization

/// A store whose file or WAL was altered, any bytes of it, is read, refused or found damaged: nothing
/// ends the process, and nothing that can be read of it is endless.
///
/// Input: edits of five bytes each. The first says in which file and how far its place is shifted,
/// two are the place, two are what is written there.
enum StoreProperties {
  static func check(_ input: [UInt8]) throws {
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "refold-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let original = try original.get()
    var (file, wal) = (original.file, original.wal)
    for start in stride(from: 0, to: input.count - 4, by: 5) {
      let edit = Array(input[start..<start + 5])
      if edit[0] & 1 == 0 { apply(edit, to: &file) } else { apply(edit, to: &wal) }
    }
    let path = folder.appending(path: "store.sqlite").path
    try Data(file).write(to: URL(filePath: path))
    // Half of the inputs have a WAL, which is checked by sums that edits seldom meet.
    if input.count.isMultiple(of: 2) { try Data(wal).write(to: URL(filePath: path + "-wal")) }
    try read(path)
  }

  private static func apply(_ edit: [UInt8], to bytes: inout [UInt8]) {
    guard !bytes.isEmpty else { return }
    let place = (Int(edit[0] >> 1) << 9 + Int(edit[1]) << 8 + Int(edit[2])) % bytes.count
    bytes[place] = edit[3]
    bytes[(place + 1) % bytes.count] = edit[4]
  }

  /// Everything that a command may ask of a store.
  private static func read(_ path: String) throws {
    do {
      let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
      defer { try? store.close() }
      let findings = Mutex(0)
      try? store.verify(nil) { _ in findings.withLock { $0 += 1 } }
      let sessions = try store.sessions()
      try require(sessions.count < 1000, "\(sessions.count) sessions")
      for session in sessions { try attempt { try read(session, of: store) } }
    } catch is EventStoreError {}
  }

  private static func read(_ session: SessionInfo, of store: SQLiteEventStore) throws {
    try attempt { _ = try store.session(named: session.name) }
    try attempt { _ = try store.openEffects(of: session.id) }
    try attempt { _ = try store.commits(of: session.id, after: .zero, limit: 1000) }
    try attempt { _ = try store.delivery("cmd-1", in: session.id) }
    try attempt { _ = try store.snapshot(of: session.id, atOrBefore: Seq(9), foldID: "f") }
    try attempt {
      let last = try store.tail(of: session.id).version
      var (reached, count, page) = (Seq.zero, 0, EventBatch())
      while reached < last, count < 10_000 {
        try store.read(session.id, after: reached, through: last, payloads: .all, into: &page)
        guard let end = page.headers.last?.seq else { break }
        try require(end > reached, "reading goes back from \(reached) to \(end)")
        (reached, count) = (end, count + page.count)
      }
    }
    try attempt {
      let timeline = try Timeline(CounterReactor(), session, in: store) { _ in "fold" }
      for seq in UInt32(0)...3 {
        // A payload that does not decode any more is its own error, with its seq.
        do { _ = try timeline.fold(at: Seq(seq)) } catch let error as EventStoreError {
          throw error
        } catch { try requireMessage("\(error)", for: []) }
      }
    }
  }

  /// Runs `body`; what the store may throw is an answer as well.
  private static func attempt(_ body: () throws -> Void) throws {
    do { try body() } catch let error as EventStoreError {
      try require(!error.description.isEmpty, "an error without a word")
    }
  }
}

extension StoreProperties {
  private struct Original {
    var file: [UInt8]
    var wal: [UInt8]
  }

  /// A store of several sessions, with a WAL beside it as a process that was killed leaves it.
  private static let original = Result { () throws -> Original in
    let folder = FileManager.default.temporaryDirectory
      .appending(path: "refold-fuzz-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "store.sqlite").path
    try fill(SQLiteEventStore(path: path))
    let file = Array(try Data(contentsOf: URL(filePath: path)))
    let store = try SQLiteEventStore(path: path)
    try append(to: store, named: "s3", events: 4)
    let wal = Array(try Data(contentsOf: URL(filePath: path + "-wal")))
    try store.close()
    return Original(file: file, wal: wal)
  }

  private static func fill(_ store: SQLiteEventStore) throws {
    let root = try append(to: store, named: "s1", events: 8)
    _ = try store.transaction {
      try $0.fork(root, at: Seq(5), named: SessionName("s2"), created: time)
    }
    try store.save(
      Snapshot(
        seq: Seq(3), foldID: "fold", logDigest: try store.digest(of: root, at: Seq(3)),
        state: Array(#"{"value":6}"#.utf8)),
      of: root)
    try store.close()
  }

  private static let time = Timestamp(microseconds: 1_800_000_000_000_000)

  @discardableResult
  private static func append(
    to store: SQLiteEventStore, named name: String, events: UInt32
  ) throws -> SessionID {
    try store.transaction { transaction in
      let info = try transaction.createSession(
        named: SessionName(name), reactor: CounterReactor.name, at: time)
      var batch = EventBatch()
      for seq in 1...events {
        let isAction = !seq.isMultiple(of: 2)
        let header = EventHeader(
          seq: Seq(seq), kind: isAction ? .action : .mutation,
          cause: isAction ? .zero : Seq(seq - 1), recordedAt: time)
        let text = isAction ? #"{"increase":{"by":2}}"# : #"{"add":{"_0":2}}"#
        batch.append(Event(header: header, payload: Array(text.utf8)))
      }
      _ = try transaction.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
      return info.id
    }
  }
}
