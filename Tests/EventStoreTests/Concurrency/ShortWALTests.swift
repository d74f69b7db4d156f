import Dispatch
import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import EventStoreSQLite

@Suite("The WAL", .timeLimit(.minutes(Trials.minutes(10))))
struct ShortWALTests {
  private static let frame = 4096 + 24
  private static let walLimit = 64
  /// Each time that readers are not gone within the wait, as on a machine that does much else, the WAL
  /// doubles: seldom more than thrice in many commits. All that is committed is many times as much.
  private static let most = (Trials.isLong ? 32 : 16) * walLimit * frame

  private let folder: TemporaryFolder
  private let session: SessionID

  init() throws {
    folder = try TemporaryFolder()
    let store = try folder.store()
    session = try store.createSession("s1")
    try store.append(
      EventBatch(actions: 2000, after: .zero, payload: String(repeating: "x", count: 500)),
      to: session)
    try store.close()
  }

  private func store() throws -> SQLiteEventStore {
    var options = SQLiteEventStore.Options(synchronous: .normal, patience: 60)
    options.walLimit = Self.walLimit
    return try folder.store("store.sqlite", options)
  }

  private var walBytes: Int { StoreFile.size(folder.file() + "-wal") }

  /// Commits of some 20 pages.
  private func append(_ count: Int, to store: SQLiteEventStore) throws -> Int {
    let text = String(repeating: "y", count: 1500)
    var most = 0
    for _ in 0..<count {
      let version = try store.tail(of: session).version
      try store.append(EventBatch(actions: 20, after: version, payload: text), to: session)
      most = max(most, walBytes)
    }
    return most
  }

  /// Each reads one page after the other, so that somebody is always in the middle of one.
  @Test func stays_short_however_many_read_without_a_pause() throws {
    let pages = Mutex(0)
    let largest = Mutex(0)
    let isDone = Atomic(false)
    let commits = Trials.isLong ? 3000 : 150
    let writer = { @Sendable in
      defer { isDone.store(true, ordering: .relaxed) }
      let store = try store()
      let most = try append(commits, to: store)
      largest.withLock { $0 = most }
      try store.close()
    }
    let reader = { @Sendable in
      let store = try store()
      let read = try readPages(of: store) { isDone.load(ordering: .relaxed) }
      pages.withLock { $0 += read }
      try store.close()
    }
    try Together.run([writer] + Array(repeating: reader, count: 8))
    let kibibytes = largest.withLock { $0 } / 1024
    #expect(kibibytes <= Self.most / 1024, "the WAL had \(kibibytes) KiB")
    Figures.note(
      "Concurrency", "the WAL while 8 threads read without a pause",
      [
        ("commits", commits), ("pages read", pages.withLock { $0 }),
        ("KiB written", commits * 20 * 2 * 1500 / 1024), ("KiB at most in the WAL", kibibytes),
      ])
  }

  private func readPages(of store: SQLiteEventStore, until isOver: () -> Bool) throws -> Int {
    var (page, reached, count) = (EventBatch(), Seq.zero, 0)
    while !isOver() {
      let last = reached.advanced(by: 64) ?? .max
      try store.read(session, after: reached, through: last, into: &page)
      reached = page.headers.last?.seq ?? .zero
      count += 1
    }
    return count
  }

  @Test func that_a_stopped_reader_keeps_is_short_again_after_it() throws {
    let store = try store()
    let reader = try RawDatabase(folder.file())
    try reader.run("BEGIN")
    #expect(try reader.number("SELECT count(*) FROM sessions") == 1)
    let kept = try append(30, to: store)
    #expect(kept > 4 * Self.walLimit * Self.frame, "the reader keeps nothing")
    #expect(try reader.number("SELECT count(*) FROM events") == 4000)
    try reader.run("COMMIT")
    // Long enough that it is looked at again.
    _ = try append(12, to: store)
    #expect(walBytes <= kept + 2 * Self.walLimit * Self.frame)
    try store.checkpoint()
    #expect(walBytes == 0)
    #expect(try store.tail(of: session).version == Seq(4000 + 42 * 40))
  }
}
