import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

@Suite("A store whose files are taken away while it is open")
struct RemovedFileTests {
  /// What somebody does to the files of an open store, and which file the error has to name.
  enum Removal: String, CaseIterable, Sendable {
    case removed, moved, replaced, withoutWAL, withoutSharedMemory

    var missing: String {
      switch self {
      case .removed, .moved, .replaced: ""
      case .withoutWAL: "-wal"
      case .withoutSharedMemory: "-shm"
      }
    }

    func happen(in folder: TemporaryFolder) throws {
      let files = FileManager.default
      switch self {
      case .removed, .withoutWAL, .withoutSharedMemory:
        try files.removeItem(atPath: folder.file("store.sqlite\(missing)"))
      case .moved:
        try files.moveItem(atPath: folder.file(), toPath: folder.file("elsewhere"))
      case .replaced:
        // As mv does it: the name changes hands in one step.
        #expect(rename(folder.file("other.sqlite"), folder.file()) == 0)
      }
    }
  }

  @Test("acknowledges nothing more, and says which", arguments: Removal.allCases)
  func acknowledges_nothing_more(_ removal: Removal) throws {
    let folder = try TemporaryFolder()
    let other = try folder.store("other.sqlite")
    try other.createSession("other")
    try other.close()
    let store = try folder.store()
    let session = try store.createSession("s1")
    try store.append(EventBatch(actions: 2, after: .zero), to: session)
    try removal.happen(in: folder)
    let error = EventStoreError.removed(path: folder.file() + removal.missing)
    #expect(throws: error) { try store.append(EventBatch(actions: 1, after: Seq(4)), to: session) }
    #expect(throws: error) { try store.createSession("s2") }
    #expect(throws: error) { try store.checkpoint() }
    try store.close()
    if removal == .removed { return }
    let place = removal == .moved ? "elsewhere" : "store.sqlite"
    let again = try folder.store(place)
    if removal == .replaced {
      #expect(try again.sessions().map(\.name.rawValue) == ["other"])
    } else {
      #expect(try again.tail(of: session).version == Seq(4), "what was acknowledged")
      try again.append(EventBatch(actions: 1, after: Seq(4)), to: session)
    }
  }

  /// SQLite removes the -wal by its name. That of another store, or of another process, must stay.
  @Test("leaves the files of the store that took its place alone when it closes")
  func closing_leaves_the_other_store_alone() throws {
    let folder = try TemporaryFolder()
    try folder.store("other.sqlite").close()
    let store = try folder.store()
    try store.createSession("s1")
    for name in ["store.sqlite-wal", "store.sqlite-shm"] {
      try FileManager.default.removeItem(atPath: folder.file(name))
    }
    #expect(rename(folder.file("other.sqlite"), folder.file()) == 0)
    let other = try folder.store()
    let session = try other.createSession("other")
    try other.append(EventBatch(actions: 2, after: .zero), to: session)
    try store.close()
    #expect(try folder.files.contains("store.sqlite-wal"))
    // As after a crash of the other process: what lies there is all that there is.
    let copy = try TemporaryFolder()
    for name in ["store.sqlite", "store.sqlite-wal"] {
      try FileManager.default.copyItem(atPath: folder.file(name), toPath: copy.file(name))
    }
    #expect(try copy.store().tail(of: session).version == Seq(4))
    try other.close()
  }

  @Test("reads nothing of the store that took its place")
  func reads_nothing_of_another() throws {
    let folder = try TemporaryFolder()
    try folder.store("other.sqlite").close()
    let store = try folder.store()
    try store.createSession("s1")
    #expect(rename(folder.file("other.sqlite"), folder.file()) == 0)
    let error = EventStoreError.removed(path: folder.file())
    #expect(throws: error) { try store.verify(nil) { _ in } }
    #expect(throws: error) { try store.createSession("s2") }
  }
}

@Suite("A store with links in the place of its files")
struct LinkTests {
  @Test("is refused for writing", arguments: ["-wal", "-shm", "-lock", "-journal"])
  func beside(_ suffix: String) throws {
    let folder = try TemporaryFolder()
    try folder.store().close()
    let victim = folder.file("victim")
    try Data("mine".utf8).write(to: URL(fileURLWithPath: victim))
    try? FileManager.default.removeItem(atPath: folder.file() + suffix)
    for target in [victim, folder.file("nowhere")] {
      #expect(symlink(target, folder.file() + suffix) == 0)
      #expect(
        throws: EventStoreError.cannotOpen(
          path: folder.file(), reason: "\(folder.file())\(suffix) is a symbolic link. Remove it")
      ) { try folder.store() }
      try FileManager.default.removeItem(atPath: folder.file() + suffix)
    }
    #expect(FileManager.default.contents(atPath: victim) == Data("mine".utf8))
    #expect(try !folder.files.contains("nowhere"))
    try folder.store().createSession("s1")
  }

  @Test("of which the last leads nowhere, or in a circle, says so")
  func nowhere() throws {
    let folder = try TemporaryFolder()
    #expect(symlink("nowhere", folder.file("dangling")) == 0)
    #expect(symlink("circle", folder.file("circle")) == 0)
    for (name, reason) in [
      ("dangling", "it is a symbolic link to a file that is not there"),
      ("circle", "Too many levels of symbolic links"),
      (String(repeating: "a", count: 300), "File name too long"),
    ] {
      for access in [SQLiteEventStore.Access.readWriteCreating, .readOnly] {
        #expect(throws: EventStoreError.cannotOpen(path: folder.file(name), reason: reason)) {
          try folder.store(name, .init(access: access))
        }
      }
    }
    #expect(try folder.files == ["circle", "dangling"])
  }
}
