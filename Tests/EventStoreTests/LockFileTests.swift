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
    let child = Process()
    let input = Pipe()
    child.executableURL = URL(fileURLWithPath: "/bin/cat")
    (child.standardInput, child.standardOutput) = (input, FileHandle.nullDevice)
    try child.run()
    #expect(try store.isAlive(owner))
    token = nil
    #expect(try !store.isAlive(owner))
    input.fileHandleForWriting.closeFile()
    child.waitUntilExit()
  }
}
