import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk
import Synchronization
import Testing

@Suite("A loss of power while a store is made", .timeLimit(.minutes(Trials.minutes(30))))
struct CreationTests {
  /// At every change until the first session is there: the file is missing, or can be made a store, or
  /// is one.
  @Test func leaves_a_store_or_what_can_become_one() async throws {
    let counts = Mutex((losses: 0, absent: 0, unfinished: 0, complete: 0))
    try await Trials(inSuite: 1, long: 30).run { seed in
      var (change, isCut) = (0, true)
      while isCut {
        change += 1
        let (disk, folder) = try Self.create(stoppingAt: change, seed: seed)
        isCut = disk.isStopped
        let found = try Self.find(in: folder)
        counts.withLock { counts in
          counts.losses += 1
          switch found {
          case .absent: counts.absent += 1
          case .unfinished: counts.unfinished += 1
          case .complete: counts.complete += 1
          }
        }
        try require(isCut || found == .complete, "a session that was acknowledged is not there")
        try Self.finish(in: folder)
      }
    }
    let total = counts.withLock { $0 }
    Figures.note(
      "Power", "while a store is made",
      [
        ("losses of power", total.losses), ("without a file", total.absent),
        ("with a file that is no store yet", total.unfinished), ("complete", total.complete),
      ])
    #expect(total.unfinished > 0 && total.complete > 0)
  }

  /// Makes a store with a session. The folder is that of after the loss of power.
  private static func create(
    stoppingAt change: Int, seed: UInt64
  ) throws -> (FaultyDisk, TemporaryFolder) {
    let (folder, after) = (try TemporaryFolder(), try TemporaryFolder())
    let disk = try FaultyDisk(folder: folder.path, seed: seed &* 1000 &+ UInt64(change))
    disk.stop(atChange: change)
    var options = SQLiteEventStore.Options()
    options.vfs = disk.vfs
    do {
      let store = try folder.store("store.sqlite", options)
      try store.createSession("first")
      let isStopped = disk.isStopped
      try disk.losePower(to: after.path)
      try store.close()
      if !isStopped { disk.restart() }
    } catch {
      guard disk.isStopped, error is EventStoreError else { throw error }
      try disk.losePower(to: after.path)
    }
    try require(disk.openFiles == 0, "\(disk.openFiles) files are open after closing")
    return (disk, after)
  }

  private enum Found {
    case absent, unfinished, complete
  }

  /// What a command that only reads finds.
  private static func find(in folder: TemporaryFolder) throws -> Found {
    do {
      let store = try folder.store("store.sqlite", .init(access: .readOnly))
      defer { try? store.close() }
      return try store.sessions().isEmpty ? .unfinished : .complete
    } catch EventStoreError.noSuchStore {
      return .absent
    } catch EventStoreError.notAStore {
      return .unfinished
    }
  }

  /// Opens it as the next command does that writes.
  private static func finish(in folder: TemporaryFolder) throws {
    let store = try folder.store()
    let names = try store.sessions().map(\.name.rawValue)
    try require(names == [] || names == ["first"], "there are \(names)")
    let session = try store.createSession("second")
    try store.append(EventBatch(actions: 2, after: .zero), to: session)
    try store.requireClean()
    try store.close()
    try require(try folder.files == ["store.sqlite", "store.sqlite-lock"], "more is left over")
  }
}
