import Dispatch
import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import EventStoreSQLite

@Suite("Writers and readers of one SQLite store")
struct SQLiteSharingTests {
  /// Two store objects on one path exclude each other as two processes do.
  @Test("append to one session without a gap, and nothing twice")
  func concurrent_writers() throws {
    let folder = try TemporaryFolder()
    let stores = [try folder.store(), try folder.store()]
    let session = try stores[0].createSession("s1")
    let (threads, rounds) = (4, 50)
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      do {
        let store = stores[thread % 2]
        for round in 0..<rounds {
          try appendInsisting("\(thread)-\(round)", to: session, in: store)
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let events = try stores[0].allEvents(of: session)
    #expect(events.map(\.header.seq.rawValue) == Array(1...UInt32(threads * rounds)))
    #expect(Set(events.map(\.payload)).count == threads * rounds)
    try stores[1].verify(nil) { Issue.record("\($0)") }
  }

  /// Optimistic: appends at the version that it read, and reads again when that has moved.
  private func appendInsisting(
    _ payload: String, to session: SessionID, in store: SQLiteEventStore
  ) throws {
    while true {
      let tail = try store.tail(of: session)
      var batch = EventBatch()
      let header = EventHeader(
        seq: Seq(tail.version.rawValue + 1), kind: .action, cause: .zero,
        recordedAt: tail.recordedAt)
      batch.append(header, payload: payload.utf8)
      do {
        try store.append(batch, to: session, expecting: tail.version, schemaVersion: 1)
        return
      } catch EventStoreError.versionConflict {}
    }
  }

  @Test("making one name from many sides end up in one session")
  func one_name() throws {
    let folder = try TemporaryFolder()
    let stores = try (0..<4).map { _ in try folder.store() }
    let found = Mutex<[SessionID?]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { index in
      let id = try? stores[index].transaction { transaction in
        let name = try SessionName("s1")
        if let known = try transaction.session(named: name) { return known.id }
        return try transaction.createSession(
          named: name, reactor: "r", at: Timestamp(microseconds: 0)
        ).id
      }
      found.withLock { $0.append(id) }
    }
    #expect(found.withLock { $0 } == Array(repeating: SessionID(1), count: 4))
  }

  @Test("making one file from many sides end up with one store")
  func one_file() throws {
    let folder = try TemporaryFolder()
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 8) { index in
      do {
        let store = try folder.store()
        try store.createSession("s\(index)")
        try store.close()
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try folder.store().sessions().count == 8)
  }

  @Test("wait for a lock held elsewhere no longer than they are told")
  func patience() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store("store.sqlite", .init(patience: 0.05))
    let descriptor = try LockFile(of: try StoreFile(named: folder.file()).path).open(writing: true)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(throws: EventStoreError.locked(path: folder.file(), seconds: 0.05)) {
      try store.createSession("s1")
    }
    #expect(try store.sessions() == [])
    #expect(flock(descriptor, LOCK_UN) == 0)
    try store.createSession("s1")
  }

  @Test("that wait are next, before the one that had the lock takes it again")
  func fairness() throws {
    let folder = try TemporaryFolder()
    let file = LockFile(of: folder.file())
    let busy = try WriterLock(file, path: "store")
    try busy.acquire(seconds: 10)
    let failures = Mutex<[String]>([])
    let (mayEnd, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    DispatchQueue.global().async {
      do {
        let waiting = try WriterLock(file, path: "store")
        try waiting.acquire(seconds: 60)
        mayEnd.wait()
        waiting.release()
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
      isOver.signal()
    }
    // Byte 0 is the gate, in which whoever waits stands.
    while try !file.isLocked(at: 0) { sched_yield() }
    busy.release()
    #expect(throws: EventStoreError.locked(path: "store", seconds: 0)) {
      try busy.acquire(seconds: 0)
    }
    mayEnd.signal()
    isOver.wait()
    #expect(failures.withLock { $0 } == [])
    try busy.acquire(seconds: 0)
    busy.release()
  }

  @Test("read while somebody writes, and see whole commits only")
  func reading_along() throws {
    let folder = try TemporaryFolder()
    let (writer, reader) = (try folder.store(), try folder.store())
    let session = try writer.createSession("s1")
    let failures = Mutex<[String]>([])
    let isDone = Atomic(false)
    DispatchQueue.concurrentPerform(iterations: 2) { index in
      do {
        if index == 0 {
          defer { isDone.store(true, ordering: .relaxed) }
          for round in 0..<100 {
            try writer.append(
              EventBatch(actions: 5, after: Seq(UInt32(round * 10))), to: session)
          }
        } else {
          while !isDone.load(ordering: .relaxed) {
            let version = try reader.tail(of: session).version.rawValue
            if !version.isMultiple(of: 10) { failures.withLock { $0.append("\(version)") } }
          }
        }
      } catch {
        failures.withLock { $0.append("\(error)") }
      }
    }
    #expect(failures.withLock { $0 } == [])
    #expect(try reader.tail(of: session).version == Seq(1000))
  }

  @Test("the WAL stays short while a reader pages through a long session")
  func short_wal() throws {
    let folder = try TemporaryFolder()
    var options = SQLiteEventStore.Options(synchronous: .normal)
    options.walLimit = 64
    let store = try folder.store("store.sqlite", options)
    let session = try store.createSession("s1")
    let text = String(repeating: "x", count: 1000)
    try store.append(EventBatch(actions: 2000, after: .zero, payload: text), to: session)
    var (page, reached, largest) = (EventBatch(), Seq.zero, 0)
    for round in 0..<200 {
      try store.read(session, after: reached, through: .max, into: &page)
      reached = page.headers.last?.seq ?? .zero
      let version = Seq(UInt32(4000 + round * 40))
      try store.append(EventBatch(actions: 20, after: version, payload: text), to: session)
      if round > 20 { largest = max(largest, StoreFile.size(folder.file() + "-wal")) }
    }
    // The commits are 21 MB of WAL; the first alone takes 4, and journal_size_limit is 8.
    #expect(largest < 8 << 20)
    try store.checkpoint()
    #expect(StoreFile.size(folder.file() + "-wal") == 0)
  }

  @Test("a full disk refuses an append whole, and keeps what was there")
  func full_disk() throws {
    let folder = try TemporaryFolder()
    var options = SQLiteEventStore.Options(synchronous: .normal)
    options.maximumPages = 60
    let store = try folder.store("store.sqlite", options)
    let session = try store.createSession("s1")
    let text = String(repeating: "x", count: 1000)
    let error = #expect(throws: EventStoreError.self) {
      for round in 0..<100 {
        try store.append(
          EventBatch(actions: 5, after: Seq(UInt32(round * 10)), payload: text), to: session)
      }
    }
    #expect(error == .diskFull(path: folder.file()))
    let version = try store.tail(of: session).version
    #expect(version > .zero)
    #expect(try store.allEvents(of: session).last?.header.seq == version)
    try store.verify(nil) { Issue.record("\($0)") }
    try store.close()
    let roomy = try folder.store()
    try roomy.append(EventBatch(actions: 5, after: version, payload: text), to: session)
  }

  @Test("a full session or store says so")
  func full() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try store.createSession("s1")
    let raw = try RawDatabase(folder.file())
    try raw.run(
      """
      INSERT INTO sessions
      SELECT 2147483647, 'last', reactor, 0, 1, 4294967294, CAST(substr(digest, 1, 32) AS BLOB), 0
      FROM sessions;
      INSERT INTO events VALUES((1 << 32) + 4294967294, 1, 0, 5, '')
      """)
    let session = SessionID(.max)
    var batch = EventBatch()
    for seq in [UInt32.max, .max] {
      let header = EventHeader(
        seq: Seq(seq), kind: .action, cause: .zero, recordedAt: Timestamp(microseconds: 9))
      batch.append(header, payload: "1".utf8)
    }
    let before = Seq(UInt32.max - 1)
    #expect(throws: EventStoreError.sessionFull("last")) {
      try store.append(batch, to: session, expecting: before, schemaVersion: 1)
    }
    #expect(throws: EventStoreError.storeFull) { try store.createSession("one more") }
    var last = EventBatch()
    last.append(batch[0])
    try store.append(last, to: session, expecting: before, schemaVersion: 1)
    #expect(try store.tail(of: session).version == .max)
    try store.verify(session) { _ in }
  }

  @Test("owners are seen from other stores, and their locks leave the writers alone")
  func owners() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try folder.store(), try folder.store())
    var token: (any OwnerToken)? = try first.claimOwnership()
    let owner = token?.owner ?? 0
    #expect(try second.isAlive(owner))
    try second.createSession("s1")
    #expect(try first.isAlive(owner))
    let isAlive = try first.transaction { _ in try second.isAlive(owner) }
    #expect(isAlive)
    token = nil
    #expect(try !second.isAlive(owner))
  }

  private static let python = "/usr/bin/python3"

  @Test(
    "an owner in another process is seen, and gone with it",
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: python), "needs a process that locks"))
  func owner_elsewhere() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    try store.createSession("s1")
    let child = Process()
    let (input, output) = (Pipe(), Pipe())
    child.executableURL = URL(fileURLWithPath: Self.python)
    child.arguments = [
      "-c",
      """
      import fcntl, os, struct, sys
      fd = os.open(sys.argv[1], os.O_RDWR)
      fcntl.fcntl(fd, 37, struct.pack('hhqqi4x', fcntl.F_WRLCK, 0, 5000000000, 1, 0))
      print('locked', flush=True)
      sys.stdin.read()
      """, folder.file() + "-lock",
    ]
    (child.standardInput, child.standardOutput) = (input, output)
    try child.run()
    #expect(output.fileHandleForReading.readData(ofLength: 7) == Data("locked\n".utf8))
    #expect(try store.isAlive(5_000_000_000))
    #expect(try !store.isAlive(5_000_000_001))
    input.fileHandleForWriting.closeFile()
    child.waitUntilExit()
    #expect(try !store.isAlive(5_000_000_000))
  }
}
