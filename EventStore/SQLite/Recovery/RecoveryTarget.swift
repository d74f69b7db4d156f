import EventStoreCore
import Foundation

/// The new store of a recovery. It gets its name once it is whole: whatever ends the recovery before,
/// nothing is there under it, and what somebody else puts there meanwhile stays.
package struct RecoveryTarget {
  /// What is written to.
  package let store: SQLiteEventStore
  private let file: DraftStoreFile

  /// - Throws: `EventStoreError.fileExists`, `.cannotOpen` where a store called `name` cannot be made.
  package static func requireFree(_ name: String) throws {
    try DraftStoreFile.requireFree(StoreFile(named: name), replaces: false)
  }

  /// Makes a store that is to be called `name`, beside the one at `damaged`.
  /// - Throws: `EventStoreError`.
  package init(named name: String, besides damaged: String, patience: Double) throws {
    file = try DraftStoreFile(named: name, of: StoreFile(named: damaged), replaces: false)
    do {
      // Made durable at once when it is whole: until then it is worth nothing.
      store = try SQLiteEventStore(
        StoreFile(at: file.part, named: name),
        options: .init(synchronous: .normal, patience: patience))
    } catch {
      file.abandon()
      throw error
    }
  }

  /// Closes the store, puts it on the disk and gives it its name.
  /// - Throws: `EventStoreError`; then it is to be abandoned.
  package func finish() throws {
    try store.checkpoint()
    try store.close()
    guard StoreFile.size(file.part + "-wal") == 0 else {
      throw EventStoreError.system(operation: "write", path: file.name, code: EIO)
    }
    file.removeBeside()
    try file.finish()
  }

  /// Removes what was written.
  package func abandon() {
    try? store.close()
    file.abandon()
  }
}
