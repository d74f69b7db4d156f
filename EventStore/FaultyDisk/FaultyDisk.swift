import CFaultyVFS
import EventStoreTesting
import Foundation
import Synchronization

/// A disk that loses its power, or fails, at the call that it is told: a SQLite VFS for tests.
///
///     let disk = try FaultyDisk(folder: folder, seed: 7)
///     disk.stop(atChange: 40)
///     options.vfs = disk.vfs
///     ... // use a store in `folder` until every call fails, and close it
///     try disk.losePower(to: other)   // what the disk may hold then
///
/// The files are real ones, and stand for what the system's cache holds. Beside them the disk keeps what
/// of them has been synced, byte for byte. What the store does without SQLite, such as making the
/// file, counts as never synced.
///
/// `@unchecked Sendable`: `registered` is set once, before anybody else knows of the disk; all else that
/// changes is in `state`.
package final class FaultyDisk: @unchecked Sendable {
  /// The name of the VFS, for `SQLiteEventStore.Options.vfs`.
  package let vfs: String
  private var registered: OpaquePointer?
  private let state: Mutex<DiskState>
  private static let count = Atomic<Int>(0)

  /// A disk whose folder `folder` holds the files that are there, all of them synced.
  ///
  /// - Parameter seed: of what is left to chance: what a loss of power and a failed sync take.
  /// - Throws: `BrokenPromise` where SQLite takes no VFS; what reading the files throws.
  package init(folder: String, seed: UInt64) throws {
    vfs = "refold-faulty-\(Self.count.add(1, ordering: .relaxed).newValue)"
    var cache = DiskCache()
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
      cache.load(name, [UInt8](bytes))
    }
    state = Mutex(DiskState(cache: cache, random: SeededGenerator(seed: seed)))
    // Unretained: the disk takes the VFS back before it goes.
    let hooks = refold_disk_hooks(
      context: Unmanaged.passUnretained(self).toOpaque(),
      before: { context, call in
        guard let context, let call else { return refold_answer() }
        return FaultyDisk.at(context).state.withLock { $0.before(call.pointee) }
      },
      after: { context, call in
        guard let context, let call else { return }
        FaultyDisk.at(context).state.withLock { $0.after(call.pointee) }
      })
    registered = refold_vfs_register(vfs, hooks)
    guard registered != nil else { throw BrokenPromise("SQLite takes no VFS \(vfs)") }
  }

  deinit {
    // With files that are still open, SQLite may come back to it: rather leave it there.
    if let registered, openFiles == 0 { refold_vfs_unregister(registered) }
  }

  /// How many files SQLite has open here.
  package var openFiles: Int { registered.map { Int(refold_vfs_open_files($0)) } ?? 0 }

  // The pointer is that of a disk which lives for as long as its VFS is registered.
  private static func at(_ context: UnsafeMutableRawPointer) -> FaultyDisk {
    Unmanaged<FaultyDisk>.fromOpaque(context).takeUnretainedValue()
  }

  // MARK: Ends

  /// From the `number`-th change on, the first being 1, every call fails: the process was killed, or
  /// the power was lost. A change is a call that makes, writes, cuts, syncs or deletes a file; a write may
  /// be done in part.
  package func stop(atChange number: Int) {
    state.withLock { $0.stop = $0.changes + number }
  }

  /// From here on every call fails.
  package func stop() { state.withLock { $0.isStopped = true } }

  /// Whether every call fails.
  package var isStopped: Bool { state.withLock { $0.isStopped } }

  /// How many changes there were.
  package var changes: Int { state.withLock { $0.changes } }

  /// Goes on as for a new process: what the system has in its cache is there. Whoever had files open
  /// before is dead, and stays so.
  package func restart() { state.withLock { $0.restart() } }

  /// Writes what the disk may hold after a loss of power into the empty folder `folder`, and stops.
  @discardableResult
  package func losePower(to folder: String) throws -> PowerLoss {
    let (files, loss) = state.withLock { $0.losePower() }
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    return loss
  }

  // MARK: Faults

  /// Has calls fail as `fault` says; nil has all pass.
  package func fail(_ fault: DiskFault?) {
    state.withLock { state in
      state.fault = fault
      state.failed = 0
      state.matched = 0
    }
  }

  /// How many calls failed of the fault that was last set.
  package var failedCalls: Int { state.withLock { $0.failed } }

  /// Whether a sync says that all is well and does nothing: no store can keep its promises on such a
  /// disk, and a test that tells is one that sees.
  package func setLiesAboutSyncs(_ lies: Bool) { state.withLock { $0.liesAboutSyncs = lies } }
}

/// What a loss of power took.
package struct PowerLoss: Sendable {
  /// How many writes, cuts, makings and deletions were not synced.
  package var unsynced = 0
  /// How many of these are not on the disk, or in part only.
  package var lost = 0
  /// How many writes are there in part.
  package var torn = 0

  /// Nothing.
  package init() {}
}
