import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

@Suite("The file of a SQLite store")
struct SQLiteFileTests {
  @Test("is for its owner only, with all that lies beside it, whatever the umask")
  func modes() throws {
    let folder = try TemporaryFolder()
    let old = umask(0)
    defer { umask(old) }
    let store = try folder.store()
    try store.createSession("s1")
    let files = try folder.files
    #expect(
      files == ["store.sqlite", "store.sqlite-lock", "store.sqlite-shm", "store.sqlite-wal"])
    for file in files {
      var found = stat()
      #expect(stat(folder.file(file), &found) == 0)
      #expect(found.st_mode & 0o777 == 0o600, "\(file)")
    }
  }

  @Test("is one file again when the last store has closed it")
  func closed() throws {
    let folder = try TemporaryFolder()
    let (first, second) = (try folder.store(), try folder.store())
    let session = try first.createSession("s1")
    try second.append(EventBatch(actions: 2, after: .zero), to: session)
    try first.close()
    #expect(try folder.files.contains("store.sqlite-wal"))
    #expect(try second.tail(of: session).version == Seq(4))
    try second.close()
    #expect(try folder.files == ["store.sqlite", "store.sqlite-lock"])
    let third = try folder.store()
    #expect(try third.tail(of: session).version == Seq(4))
    try third.close()
    #expect(try folder.files == ["store.sqlite", "store.sqlite-lock"])
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    #expect(try reader.tail(of: session).version == Seq(4))
    try reader.close()
    #expect(try folder.files == ["store.sqlite", "store.sqlite-lock"])
  }

  @Test("keeps what was committed when a store was never closed")
  func never_closed() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 2, after: .zero), to: session)
    // What a crash leaves: the file and its -wal, without -shm and locks.
    let copy = try TemporaryFolder()
    for name in ["store.sqlite", "store.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    #expect(try copy.store().allEvents(of: session).count == 4)
  }

  @Test(
    "may have any name", arguments: ["a b", "what?", "100%41", "#1", "ü", "'\";", "file:x", "-v"])
  func names(_ name: String) throws {
    let folder = try TemporaryFolder()
    let store = try folder.store(name)
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 1, after: .zero), to: session)
    try store.close()
    #expect(try folder.files == [name, "\(name)-lock"])
    let connection = try Connection(
      file: folder.file(name), mode: .immutable, path: name, patience: 1)
    #expect(try LogReader(connection).tail(of: session).version == Seq(2))
    connection.close()
  }

  @Test("has one lock under all its names")
  func links() throws {
    let folder = try TemporaryFolder()
    try folder.store().close()
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link"), withDestinationPath: folder.file())
    let store = try folder.store("link")
    try store.createSession("s1")
    #expect(try !folder.files.contains("link-lock"))
  }

  @Test("may begin as an empty file")
  func empty() throws {
    let folder = try TemporaryFolder()
    #expect(FileManager.default.createFile(atPath: folder.file(), contents: Data()))
    try folder.store().createSession("s1")
  }

  @Test("is told from other files, which are left as they are")
  func not_a_store() throws {
    let folder = try TemporaryFolder()
    let bytes = Data((0..<5000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
    for (name, content) in [("random", bytes), ("short", Data("hello".utf8))] {
      try content.write(to: URL(fileURLWithPath: folder.file(name)))
      let error = #expect(throws: EventStoreError.self) { try folder.store(name) }
      #expect(
        error == .notAStore(path: folder.file(name), reason: "it is not a SQLite database"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: folder.file(name))) == content)
    }
    try RawDatabase(folder.file("other")).run("CREATE TABLE t(x)")
    let error = #expect(throws: EventStoreError.self) { try folder.store("other") }
    #expect(
      error
        == .notAStore(
          path: folder.file("other"), reason: "it is a SQLite database of another application"))
    #expect(try folder.files == ["other", "random", "short"])
  }

  @Test("of a newer format is refused with both numbers")
  func newer() throws {
    let folder = try TemporaryFolder()
    try folder.store().close()
    try RawDatabase(folder.file()).run("PRAGMA user_version = 7")
    let error = #expect(throws: EventStoreError.self) { try folder.store() }
    #expect(error == .newerFormat(path: folder.file(), found: 7, known: 1))
  }

  @Test("is not made where it was not asked for, or cannot be")
  func missing() throws {
    let folder = try TemporaryFolder()
    for access in [SQLiteEventStore.Access.readWrite, .readOnly] {
      let error = #expect(throws: EventStoreError.self) {
        try folder.store("none", .init(access: access))
      }
      #expect(error == .noSuchStore(path: folder.file("none")))
    }
    let nowhere = folder.file("no/where")
    let error = #expect(throws: EventStoreError.self) { try folder.store("no/where") }
    #expect(
      error == .cannotOpen(path: nowhere, reason: "there is no folder \(folder.file("no"))"))
    #expect(throws: EventStoreError.cannotOpen(path: folder.path, reason: "it is not a file")) {
      try SQLiteEventStore(path: folder.path)
    }
    #expect(throws: EventStoreError.cannotOpen(path: "", reason: "this is not a path")) {
      try SQLiteEventStore(path: "")
    }
    #expect(try folder.files == [])
  }

  @Test("refuses changes of the log also to other tools")
  func triggers() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    var batch = EventBatch(actions: 1, after: .zero)
    batch.setDelivery(Delivery("cmd-1"), at: 0)
    try store.append(batch, to: try store.createSession("s1"))
    let raw = try RawDatabase(folder.file())
    for (table, column) in [
      ("sessions", "name"), ("events", "payload"), ("commits", "last_seq"), ("deliveries", "seq"),
    ] {
      for (change, sql) in [
        ("UPDATE", "UPDATE \(table) SET \(column) = 9"), ("DELETE", "DELETE FROM \(table)"),
      ] {
        let error = #expect(throws: EventStoreError.self) { try raw.run(sql) }
        let message = "the log is append-only: \(table) refuses \(change)"
        #expect(error?.description.contains(message) == true, "\(sql): \(error as Any)")
      }
    }
  }

  @Test("shows its log to the sqlite3 shell, with what a fork inherits")
  func view() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let root = try store.createSession("s1")
    try store.append(
      EventBatch(after: .zero, [(.action, 0, "1"), (.mutation, 1, "2"), (.pending, 1, "3")]),
      to: root)
    let fork = try store.fork(root, at: 1, named: "s2")
    try store.append(to: fork, [(.mutation, 1, "own")])
    try store.append(to: try store.fork(fork, at: 2, named: "s3"), [(.action, 0, "x")])
    let rows = try RawDatabase(folder.file()).texts(
      """
      SELECT session || ' ' || seq || ' ' || kind || ' ' || cause || ' ' || at || ' ' || payload
      FROM log ORDER BY session, seq
      """)
    let time = "2023-11-14T22:13:20.00000"
    #expect(
      rows == [
        "s1 1 action 0 \(time)1Z 1", "s1 2 mutation 1 \(time)2Z 2", "s1 3 pending 1 \(time)3Z 3",
        "s2 1 action 0 \(time)1Z 1", "s2 2 mutation 1 \(time)2Z own",
        "s3 1 action 0 \(time)1Z 1", "s3 2 mutation 1 \(time)2Z own", "s3 3 action 0 \(time)3Z x",
      ])
  }

  @Test("with rows that no event can be made of is damaged, and says where")
  func malformed() throws {
    for (change, reason) in [
      ("UPDATE events SET kind = 0 WHERE id = 4294967298", "session s1: seq 2 is malformed"),
      ("UPDATE events SET cause = -1 WHERE id = 4294967298", "session s1: seq 2 is malformed"),
      ("DELETE FROM events WHERE id = 4294967298", "session s1: the event after seq 1 is missing"),
    ] {
      let folder = try TemporaryFolder()
      let store = try folder.store()
      let session = try store.createSession("s1")
      try store.append(EventBatch(actions: 2, after: .zero), to: session)
      let raw = try RawDatabase(folder.file())
      try raw.dropTriggers()
      try raw.run(change)
      let error = #expect(throws: EventStoreError.self) { try store.allEvents(of: session) }
      #expect(error == .damaged(path: folder.file(), reason: reason))
    }
  }

  @Test("that is cut short or overwritten gives errors, never a crash")
  func overwritten() throws {
    var random = SeededGenerator(seed: 7)
    let whole = try TemporaryFolder()
    let store = try whole.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 500, after: .zero), to: session)
    try store.close()
    let bytes = try Data(contentsOf: URL(fileURLWithPath: whole.file()))
    for round in 0..<60 {
      let folder = try TemporaryFolder()
      var content = bytes
      if round.isMultiple(of: 4) {
        content.removeLast(Int.random(in: 1..<content.count, using: &random))
      }
      for _ in 0..<20 {
        content[Int.random(in: 0..<content.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
      try content.write(to: URL(fileURLWithPath: folder.file()))
      do {
        let store = try folder.store()
        // Whatever the damage: verify reports it, and goes on.
        try store.verify(nil) { _ in }
        for info in (try? store.sessions()) ?? [] { _ = try? store.allEvents(of: info.id) }
        _ = try? store.append(EventBatch(actions: 1, after: Seq(1000)), to: session)
        try store.close()
      } catch is EventStoreError {}
    }
  }
}

@Suite("Reading where writing is not allowed")
struct SQLiteReadOnlyTests {
  @Test("is decided by what the system allows")
  func decision() {
    func mode(folder: Bool, room: Bool = true, wal: Int) -> Permissions.ReadingMode {
      Permissions(
        mayRead: true, mayWrite: folder, mayWriteFolder: folder, hasRoom: room, walBytes: wal
      ).readingMode
    }
    #expect(mode(folder: true, wal: 0) == .inPlace)
    #expect(mode(folder: true, wal: 4096) == .inPlace)
    #expect(mode(folder: true, room: false, wal: 0) == .privateCopy)
    #expect(mode(folder: true, room: false, wal: 4096) == .privateCopy)
    #expect(mode(folder: false, wal: 0) == .immutable)
    #expect(mode(folder: false, room: false, wal: 0) == .immutable)
    #expect(mode(folder: false, wal: 4096) == .privateCopy)
  }

  @Test("sees what is only in the -wal, in a copy that nobody else can enter and that goes")
  func copy() throws {
    let folder = try TemporaryFolder()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 3, after: .zero), to: session)
    let file = try StoreFile(named: folder.file())
    #expect(file.permissions.walBytes > 0)
    let copy = try PrivateCopy(of: file)
    let place = (copy.path as NSString).deletingLastPathComponent
    var found = stat()
    #expect(stat(place, &found) == 0 && found.st_mode & 0o777 == 0o700)
    let opening = Opening(file: file, options: .init(access: .readOnly))
    let reader = try opening.reader(of: .copy(copy))
    #expect(try reader.tail(of: session) == store.tail(of: session))
    reader.connection.close()
    copy.remove()
    #expect(access(place, F_OK) != 0)
  }

  @Test("refuses to write, and reads along with a writer")
  func read_only() throws {
    let folder = try TemporaryFolder()
    let writer = try folder.store()
    let session = try writer.createSession("s1")
    let reader = try folder.store("store.sqlite", .init(access: .readOnly))
    try writer.append(EventBatch(actions: 3, after: .zero), to: session)
    #expect(try reader.allEvents(of: session).count == 6)
    #expect(throws: EventStoreError.readOnly(path: folder.file())) {
      try reader.createSession("s2")
    }
    let token = try writer.claimOwnership()
    #expect(try reader.isAlive(token.owner))
    #expect(throws: EventStoreError.readOnly(path: folder.file())) { try reader.claimOwnership() }
  }

  @Test("an empty file is no store to read")
  func empty() throws {
    let folder = try TemporaryFolder()
    #expect(FileManager.default.createFile(atPath: folder.file(), contents: Data()))
    let error = #expect(throws: EventStoreError.self) {
      try folder.store("store.sqlite", .init(access: .readOnly))
    }
    let reason = "it is empty; a copy of a store that is in use needs its -wal file beside it"
    #expect(error == .notAStore(path: folder.file(), reason: reason))
  }

  @Test("file systems on other machines are known by their numbers")
  func network() {
    #expect(NetworkFileSystem.name(of: 0x6969) == "NFS")
    #expect(NetworkFileSystem.name(of: 0xff53_4d42) == "CIFS")
    #expect(NetworkFileSystem.name(of: 0xef53) == nil)
    #expect(NetworkFileSystem.name(of: 0) == nil)
  }
}
