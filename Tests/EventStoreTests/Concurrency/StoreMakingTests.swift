import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import EventStoreSQLite

@Suite("A store that is being made", .timeLimit(.minutes(Trials.minutes(5))))
struct StoreMakingTests {
  /// The file is there before the tables are; the writer lock says that they come.
  @Test func is_waited_for_by_who_reads() throws {
    let folder = try TemporaryFolder()
    let lock = try WriterLock(LockFile(of: folder.file()), path: "store")
    try lock.acquire(seconds: 10)
    #expect(try StoreFile(named: folder.file()).create())
    let found = Mutex<Result<Int, any Error>?>(nil)
    let isReading = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)
    Thread {
      isReading.signal()
      let result = Result {
        try folder.store("store.sqlite", .init(patience: 60, access: .readOnly)).sessions().count
      }
      found.withLock { $0 = result }
      isOver.signal()
    }.start()
    isReading.wait()
    let maker = try RawDatabase(folder.file())
    try Schema.create(on: maker.connection)
    lock.release()
    isOver.wait()
    #expect(try found.withLock { $0 }?.get() == 0)
  }

  @Test func that_never_comes_is_no_store() throws {
    let folder = try TemporaryFolder()
    let file = folder.file()
    #expect(try StoreFile(named: file).create())
    let descriptor = try LockFile(of: file).open(writing: true)
    defer { close(descriptor) }
    #expect(flock(descriptor, LOCK_EX) == 0)
    #expect(throws: EventStoreError.locked(path: file, seconds: 0.05)) {
      try folder.store("store.sqlite", .init(patience: 0.05, access: .readOnly))
    }
    #expect(flock(descriptor, LOCK_UN) == 0)
    #expect(throws: EventStoreError.self) {
      try folder.store("store.sqlite", .init(patience: 0.05, access: .readOnly))
    }
  }

  @Test func by_many_and_read_by_many_is_one_store_or_not_there_yet() async throws {
    let looks = Mutex(0)
    let trials = Trials(inSuite: 3, long: 500)
    try await trials.run { _ in
      let folder = try TemporaryFolder()
      try Together.run(
        (0..<12).map { index in
          { index % 2 == 0 ? try make(index, in: folder) : try read(folder, looks) }
        })
    }
    Figures.note(
      "Concurrency", "6 make one store while 6 open it to read",
      [
        ("stores", trials.seeds.count), ("times opened", looks.withLock { $0 }),
        ("taken for no store", 0),
      ])
  }

  private func make(_ index: Int, in folder: TemporaryFolder) throws {
    let store = try folder.store()
    try store.createSession("s\(index)")
    try store.close()
  }

  private func read(_ folder: TemporaryFolder, _ looks: borrowing Mutex<Int>) throws {
    while true {
      do {
        let store = try folder.store("store.sqlite", .init(access: .readOnly))
        looks.withLock { $0 += 1 }
        if try store.sessions().count == 6 { return }
      } catch EventStoreError.noSuchStore {}
    }
  }
}
