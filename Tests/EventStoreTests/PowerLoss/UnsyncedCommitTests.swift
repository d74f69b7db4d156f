import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk
import Testing

@Suite("A commit that was not synced")
struct UnsyncedCommitTests {
  /// The next process reads it like any other, and may acknowledge a delivery by it.
  @Test func is_durable_once_a_store_that_reads_it_was_opened_for_writing() throws {
    var (change, seen, isOver) = (0, 0, false)
    while !isOver {
      change += 1
      let (folder, after) = (try TemporaryFolder(), try TemporaryFolder())
      let disk = try FaultyDisk(folder: folder.path, seed: UInt64(change))
      var options = SQLiteEventStore.Options()
      options.vfs = disk.vfs
      let killed = try folder.store("store.sqlite", options)
      let session = try killed.createSession("s")
      disk.stop(atChange: change)
      isOver = (try? killed.append(EventBatch(actions: 9, after: .zero), to: session)) != nil
      disk.stop()
      try killed.close()
      disk.restart()

      let next = try folder.store("store.sqlite", options)
      let version = try next.tail(of: session).version
      if !isOver, version != .zero { seen += 1 }
      try disk.losePower(to: after.path)
      try next.close()
      let last = try after.store()
      #expect(try last.tail(of: session).version == version, "killed at change \(change)")
      try last.requireClean()
      try last.close()
    }
    #expect(seen > 0, "no process was killed between the writes and the sync")
  }

  /// The system takes for written what the failed sync could not write: a checkpoint that relies on the
  /// next sync copies commits into the file of which the WAL on the disk knows nothing.
  @Test func is_written_again_after_a_sync_that_failed() throws {
    var (change, isOver) = (0, false)
    while !isOver {
      change += 1
      let (folder, after) = (try TemporaryFolder(), try TemporaryFolder())
      let disk = try FaultyDisk(folder: folder.path, seed: UInt64(change))
      var options = SQLiteEventStore.Options(synchronous: .normal)
      options.vfs = disk.vfs
      let store = try folder.store("store.sqlite", options)
      let session = try store.createSession("s")
      for index in 0..<6 {
        try store.append(EventBatch(actions: 20, after: Seq(UInt32(index) * 40)), to: session)
      }
      disk.fail(DiskFault(.sync, number: 1, lasts: false, .inputOutput))
      #expect(throws: EventStoreError.self) { try store.checkpoint() }
      disk.stop(atChange: change)
      isOver = (try? store.checkpoint()) != nil
      try disk.losePower(to: after.path)
      try store.close()
      let last = try after.store()
      try last.requireClean()
      let version = try last.tail(of: session).version
      #expect(version == Seq(240), "the sync was made good before: stopped at \(change)")
      try last.close()
    }
    #expect(change > 2)
  }
}
