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
/// `@unchecked Sendable`: `registered` is a pointer to what SQLite's and the VFS's own locks guard; all
/// else that changes is in `hooked`.
package final class FaultyDisk: @unchecked Sendable {
  /// The name of the VFS, for `SQLiteEventStore.Options.vfs`.
  package let vfs: String
  private let registered: OpaquePointer
  private let hooked: Hooked
  private static let count = Atomic<Int>(0)

  /// What the VFS asks. Lives for as long as the VFS is registered.
  private final class Hooked: Sendable {
    let state: Mutex<DiskState>

    init(_ state: DiskState) { self.state = Mutex(state) }

    // The pointer is that of an object which the VFS retains.
    static func at(_ context: UnsafeMutableRawPointer) -> Hooked {
      Unmanaged<Hooked>.fromOpaque(context).takeUnretainedValue()
    }
  }

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
    let hooked = Hooked(DiskState(cache: cache, random: SeededGenerator(seed: seed)))
    let retained = Unmanaged.passRetained(hooked)
    let hooks = refold_disk_hooks(
      context: retained.toOpaque(),
      before: { context, call in
        guard let context, let call else { return refold_answer() }
        return Hooked.at(context).state.withLock { $0.before(call.pointee) }
      },
      after: { context, call in
        guard let context, let call else { return }
        Hooked.at(context).state.withLock { $0.after(call.pointee) }
      })
    guard let registered = refold_vfs_register(vfs, hooks) else {
      retained.release()
      throw BrokenPromise("SQLite takes no VFS \(vfs)")
    }
    self.hooked = hooked
    self.registered = registered
  }

  deinit {
    // With files that are still open, SQLite may come back: rather leave all of it where it is.
    guard openFiles == 0 else { return }
    refold_vfs_unregister(registered)
    Unmanaged.passUnretained(hooked).release()
  }

  /// How many files SQLite has open here.
  package var openFiles: Int { Int(refold_vfs_open_files(registered)) }

  // MARK: Ends

  /// From the `number`-th change on, the first being 1, every call fails: the process was killed, or
  /// the power was lost. A change is a call that makes, writes, cuts, syncs or deletes a file; a write may
  /// be done in part.
  package func stop(atChange number: Int) {
    hooked.state.withLock { $0.stop = $0.changes + number }
  }

  /// From here on every call fails.
  package func stop() { hooked.state.withLock { $0.isStopped = true } }

  /// Whether every call fails.
  package var isStopped: Bool { hooked.state.withLock { $0.isStopped } }

  /// How many changes there were.
  package var changes: Int { hooked.state.withLock { $0.changes } }

  /// Goes on as for a new process: what the system has in its cache is there. Whoever had files open
  /// before is dead, and stays so.
  package func restart() { hooked.state.withLock { $0.restart() } }

  /// Writes what the disk may hold after a loss of power into the empty folder `folder`, and stops.
  @discardableResult
  package func losePower(to folder: String) throws -> PowerLoss {
    let (files, loss) = hooked.state.withLock { $0.losePower() }
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    return loss
  }

  // MARK: Faults

  /// Has calls fail as `fault` says; nil has all pass.
  package func fail(_ fault: DiskFault?) {
    hooked.state.withLock { state in
      state.fault = fault
      state.failed = 0
      state.matched = 0
    }
  }

  /// How many calls failed of the fault that was last set.
  package var failedCalls: Int { hooked.state.withLock { $0.failed } }

  /// Whether a sync says that all is well and does nothing: no store can keep its promises on such a
  /// disk, and a test that tells is one that sees.
  package func setLiesAboutSyncs(_ lies: Bool) {
    hooked.state.withLock { $0.liesAboutSyncs = lies }
  }
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
