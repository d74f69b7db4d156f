import Dispatch
import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@Suite("Visits of long logs, many at once", .serialized)
struct ManyVisitsTests {
  /// So many threads visit at the same time, each a queue of its own as sessions that open have.
  @Test("come to an end though they take every thread there is", arguments: [100, 300])
  func many(count: Int) throws {
    let store = InMemoryEventStore()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 4 * PageLimits.events, after: .zero), to: session)
    let group = DispatchGroup()
    let seen = Mutex(0)
    for index in 0..<count {
      group.enter()
      DispatchQueue(label: "visitor \(index)").async {
        var events = 0
        // The first event waits a moment, so that all visits have begun before any ends.
        try? store.forEachEvent(of: session) { header, _ in
          if header.seq == Seq(1) { usleep(300_000) }
          events += 1
        }
        let total = events
        seen.withLock { $0 += total }
        group.leave()
      }
    }
    #expect(group.wait(timeout: .now() + 600) == .success, "visits hang")
    #expect(seen.withLock { $0 } == count * 8 * PageLimits.events)
  }

  @Test("SQLite: a visit may read and write the store that it visits, and the store may close")
  func reentrant() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 4 * PageLimits.events, after: .zero), to: session)
    var seen: UInt32 = 0
    try store.forEachEvent(of: session, through: Seq(8 * 1024)) { header, _ in
      seen += 1
      #expect(header.seq == Seq(seen))
      if seen % 500 == 0 {
        let tail = try store.tail(of: session).version
        try store.append(EventBatch(actions: 20, after: tail), to: session)
        _ = try store.digest(of: session, at: tail)
      }
    }
    #expect(seen == 8 * 1024)
    // Closing in the middle.
    let done = DispatchSemaphore(value: 0)
    seen = 0
    #expect(throws: EventStoreError.closed) {
      try store.forEachEvent(of: session) { header, _ in
        seen += 1
        if seen == 10 {
          DispatchQueue(label: "closer").async {
            try? store.close()
            done.signal()
          }
          done.wait()
        }
      }
    }
    #expect(seen % 1024 == 0)
  }

  @Test("SHA-256 of pieces of any length at any place", arguments: [UInt64(1), 2, 3])
  func sha(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 70_000, alignment: 64)
    defer { memory.deallocate() }
    for index in memory.indices { memory[index] = UInt8.random(in: 0...255, using: &random) }
    for _ in 0..<300 {
      var (one, other) = (SHA256(), SHA256(isPortable: true))
      for _ in 0..<random.below(12) {
        let start = random.below(200)
        let length = random.below(5) == 0 ? random.below(60_000) : random.below(200)
        let piece = UnsafeRawBufferPointer(rebasing: memory[start..<start + length])
        one.update(piece)
        other.update(piece)
        if random.below(3) == 0 { #expect(one.finalized() == other.finalized()) }
      }
      #expect(one.finalized() == other.finalized())
    }
  }

  @Test("SQLite gives back what was appended, whatever the sizes", arguments: [UInt64(1), 2, 3, 4])
  func insertion(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try TemporaryFolder()
    let (store, model) = (try folder.store(), InMemoryEventStore())
    let (session, other) = (try store.createSession("s1"), try model.createSession("s1"))
    var version = Seq.zero
    var id = 0
    for _ in 0..<30 {
      var batch = EventBatch()
      let count = [1, 31, 32, 33, 63, 64, 65, 96, 1 + random.below(200)][random.below(9)]
      for place in 1...count {
        let seq = Seq(version.rawValue + UInt32(place))
        id += 1
        let size = random.below(60) == 0 ? random.below(200_000) : random.below(80)
        let payload =
          "\"" + String(repeating: ["a", "é", "\u{1F600}", "\u{0}"][random.below(4)], count: size)
          + "\""
        batch.append(
          EventHeader(
            seq: seq, kind: .action, cause: .zero,
            recordedAt: Timestamp(microseconds: Int64(seq.rawValue))),
          payload: Array(payload.utf8), delivery: random.below(3) == 0 ? Delivery("d\(id)") : nil)
      }
      let first = try store.append(batch, to: session, expecting: version, schemaVersion: 1)
      let second = try model.append(batch, to: other, expecting: version, schemaVersion: 1)
      #expect(first.digest == second.digest)
      version = first.lastSeq
    }
    var (left, right): ([Event], [Event]) = ([], [])
    var page = EventBatch()
    var at = Seq.zero
    while at < version {
      try store.read(session, after: at, through: version, payloads: .all, into: &page)
      left += page.events
      at = page.headers.last?.seq ?? version
    }
    at = .zero
    while at < version {
      try model.read(other, after: at, through: version, payloads: .all, into: &page)
      right += page.events
      at = page.headers.last?.seq ?? version
    }
    #expect(left == right)
    var bytes = 0
    try store.forEachEvent(of: session) { bytes += $1.byteCount }
    #expect(bytes == left.map(\.payload.count).reduce(0, +))
  }

  @Test(
    "a batch that meets a row in its middle leaves nothing", arguments: [1, 20, 32, 40, 64, 69])
  func constraint(place: Int) throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try RawDatabase(folder.file()).run(
      "INSERT INTO events VALUES (\((1 << 32) + place), 1, 0, 0, 'x')")
    #expect(throws: EventStoreError.self) {
      try store.append(EventBatch(actions: 35, after: .zero), to: session)
    }
    var count = 0
    try? store.forEachEvent(of: session) { _, _ in count += 1 }
    let rows = try RawDatabase(folder.file()).number("SELECT count(*) FROM events")
    #expect(rows == 1)
    #expect(count <= 1)
  }
}
