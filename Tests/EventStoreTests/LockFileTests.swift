import EventStoreCore
import Foundation
import Testing

@testable import EventStoreSQLite

/// People take `store-lock` for a leftover and remove it, while processes have the store open.
@Suite("A lock file that is removed or replaced")
struct LockFileTests {
  let folder: TemporaryFolder
  var lockFile: String { folder.file() + "-lock" }

  init() throws { folder = try TemporaryFolder() }

  enum Meddling: CaseIterable {
    case removed, replaced
  }

  private func meddle(_ meddling: Meddling) throws {
    try FileManager.default.removeItem(atPath: lockFile)
    if meddling == .replaced {
      try #require(FileManager.default.createFile(atPath: lockFile, contents: nil))
    }
  }

  @Test(arguments: Meddling.allCases) func leaves_writers_apart(_ meddling: Meddling) throws {
    try folder.store().createSession("s1")
    let file = LockFile(of: folder.file())
    let first = try WriterLock(file, path: "store")
    try first.acquire(seconds: 0)
    first.release()
    try meddle(meddling)
    let second = try WriterLock(file, path: "store")
    try second.acquire(seconds: 0)
    #expect(throws: EventStoreError.locked(path: "store", seconds: 0)) {
      try first.acquire(seconds: 0)
    }
    second.release()
    try first.acquire(seconds: 0)
    #expect(throws: EventStoreError.locked(path: "store", seconds: 0)) {
      try second.acquire(seconds: 0)
    }
    first.release()
  }

  @Test func lets_nobody_in_who_waited_for_the_old_one() throws {
    try folder.store().createSession("s1")
    let file = LockFile(of: folder.file())
    let (first, second) = (
      try WriterLock(file, path: "store"), try WriterLock(file, path: "store")
    )
    try first.acquire(seconds: 0)
    try meddle(.removed)
    first.release()
    // Both held descriptions of the file that is gone.
    try second.acquire(seconds: 0)
    #expect(throws: EventStoreError.locked(path: "store", seconds: 0)) {
      try first.acquire(seconds: 0)
    }
    #expect(FileManager.default.fileExists(atPath: lockFile))
    second.release()
  }

  @Test(arguments: Meddling.allCases) func leaves_owners_alive(_ meddling: Meddling) throws {
    let (first, second) = (try folder.store(), try folder.store())
    var token: (any OwnerToken)? = try first.claimOwnership()
    let owner = token?.owner ?? 0
    try meddle(meddling)
    #expect(try second.isAlive(owner))
    let later = try second.claimOwnership()
    #expect(try first.isAlive(later.owner))
    token = nil
    #expect(try !second.isAlive(owner))
    #expect(try second.isAlive(later.owner))
  }

  @Test func does_not_make_owners_live_in_a_copy_beside_it() throws {
    let store = try folder.store()
    try store.createSession("s1")
    let token = try store.claimOwnership()
    let copy = folder.file("copy.sqlite")
    try FileManager.default.copyItem(atPath: folder.file(), toPath: copy)
    #expect(try store.isAlive(token.owner))
    #expect(try !SQLiteEventStore(path: copy).isAlive(token.owner))
  }

  @Test("an owner's end is not put off by a child process that was started meanwhile")
  func children_inherit_nothing() throws {
    let store = try folder.store()
    var token: (any OwnerToken)? = try store.claimOwnership()
    let owner = token?.owner ?? 0
    let child = try EchoingChild()
    defer { child.end() }
    #expect(try store.isAlive(owner))
    token = nil
    #expect(try !store.isAlive(owner))
  }
}

/// A process that has begun, with whatever it inherits: Foundation's Process closes what a child would
/// inherit, others do not.
private struct EchoingChild {
  private let pid: pid_t
  private let connection: Int32

  init() throws {
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
    defer { close(ends[1]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor: Int32 in [0, 1] {
      posix_spawn_file_actions_adddup2(&actions, ends[1], descriptor)
    }
    var words = [strdup("/bin/cat"), nil]
    defer { free(words[0]) }
    var pid: pid_t = 0
    try #require(posix_spawn(&pid, "/bin/cat", &actions, nil, &words, nil) == 0)
    (self.pid, connection) = (pid, ends[0])
    // A spawned process lets go of what it does not inherit a moment after it is there.
    var byte: UInt8 = 1
    try #require(write(connection, &byte, 1) == 1 && read(connection, &byte, 1) == 1)
  }

  func end() {
    close(connection)
    waitpid(pid, nil, 0)
  }
}
