import CSQLite
import EventStoreCore
import Foundation

/// The lock that shows that an owner of pending effects is alive: an open-file-description lock on
/// the byte of the lock file whose offset is the owner's number. The kernel releases it when the
/// process ends, however it ends.
final class LockFileToken: OwnerToken {
  let owner: UInt64
  private let descriptor: Int32

  /// Takes the lock of a number that nobody has.
  /// - Throws: `EventStoreError.system`.
  init(in file: LockFile) throws {
    let descriptor = try file.open(writing: true)
    while true {
      let candidate = OwnerNumbers.random()
      switch refold_lock_byte(descriptor, Int64(candidate)) {
      case 0:
        self.owner = candidate
        self.descriptor = descriptor
        return
      case EAGAIN, EACCES, EINTR: continue
      case let code:
        Foundation.close(descriptor)
        throw EventStoreError.system(operation: "lock", path: file.path, code: code)
      }
    }
  }

  deinit { Foundation.close(descriptor) }

  /// Whether somebody, in this process or another, holds the token of `owner`.
  /// - Throws: `EventStoreError.system`.
  static func isAlive(_ owner: UInt64, in file: LockFile) throws -> Bool {
    // Numbers outside can stand in a payload of somebody else's making; no token has them.
    try OwnerNumbers.range.contains(owner) && file.isLocked(at: Int64(owner))
  }
}
