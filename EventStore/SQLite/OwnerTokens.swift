import CSQLite
import EventStoreCore
import Foundation

/// The lock that shows that an owner of pending effects is alive: an open-file-description lock on
/// the byte of the lock file whose offset is the owner's number, and one on a byte of the store's
/// folder, which stays where somebody removes the lock file. The kernel releases both when the process
/// ends, however it ends.
final class LockFileToken: OwnerToken {
  let owner: UInt64
  private let descriptor: Int32
  private let folder: Int32?

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
        folder = FolderByte(of: candidate, file).lock()
        return
      case EAGAIN, EACCES, EINTR: continue
      case let code:
        Foundation.close(descriptor)
        throw EventStoreError.system(operation: "lock", path: file.path, code: code)
      }
    }
  }

  deinit {
    Foundation.close(descriptor)
    if let folder { Foundation.close(folder) }
  }

  /// Whether somebody, in this process or another, holds the token of `owner`.
  /// - Throws: `EventStoreError.system`.
  static func isAlive(_ owner: UInt64, in file: LockFile) throws -> Bool {
    // Numbers outside can stand in a payload of somebody else's making; no token has them.
    guard OwnerNumbers.range.contains(owner) else { return false }
    return try file.isLocked(at: Int64(owner)) || FolderByte(of: owner, file).isLocked
  }
}

/// The byte of a store's folder that an owner locks. A folder cannot be written, so the lock is a
/// shared one; nobody locks the byte otherwise. Its offset depends on the store's name too: in a copy
/// beside the store nobody runs what is open there.
private struct FolderByte {
  private let folder: String
  private let offset: Int64

  init(of owner: UInt64, _ file: LockFile) {
    let parts = file.path.split(separator: "/")
    folder = "/" + parts.dropLast().joined(separator: "/")
    let digest = SHA256.digest(of: Array("\(owner) \(parts.last ?? "")".utf8))
    offset = digest.bytes.prefix(8).reduce(0) { $0 << 8 | Int64($1) } & .max
  }

  /// Takes the lock.
  /// - Returns: the description that holds it; nil where the file system has no locks on folders.
  func lock() -> Int32? {
    guard let descriptor = open() else { return nil }
    if refold_share_byte(descriptor, offset) == 0 { return descriptor }
    Foundation.close(descriptor)
    return nil
  }

  /// Whether somebody, in this process or another, has it.
  var isLocked: Bool {
    guard let descriptor = open() else { return false }
    defer { Foundation.close(descriptor) }
    return refold_byte_is_locked(descriptor, offset) == 1
  }

  private func open() -> Int32? {
    let descriptor = Foundation.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    return descriptor >= 0 ? descriptor : nil
  }
}
