import CSQLite
import EventStoreCore
import Foundation

/// The file `<store>-lock`, which is only ever locked, never written.
struct LockFile {
  /// Where it lies.
  let path: String
  /// The store's file, whose permissions and owner it takes.
  let store: String

  /// The lock file of the store at `store`, an absolute path without symbolic links.
  init(of store: String) {
    self.store = store
    path = store + "-lock"
  }

  /// Opens a description of its own; for writing, creates the file where there is none.
  /// - Throws: `EventStoreError.system`.
  func open(writing: Bool) throws -> Int32 {
    // Without waiting, should somebody have put a pipe in its place.
    let flags = (writing ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK
    let descriptor = Foundation.open(path, flags)
    if descriptor >= 0 { return descriptor }
    guard writing, errno == ENOENT else {
      throw EventStoreError.system(operation: "open", path: path, code: errno)
    }
    return try create(flags)
  }

  /// Whether `descriptor` is of the file that lies there now.
  func isOpen(as descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &opened) == 0
      && named.st_ino == opened.st_ino && named.st_dev == opened.st_dev
  }

  /// Whether somebody, in this process or another, has locked the byte at `offset`.
  /// - Throws: `EventStoreError.system`.
  func isLocked(at offset: Int64) throws -> Bool {
    let descriptor = Foundation.open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      if errno == ENOENT { return false }
      throw EventStoreError.system(operation: "open", path: path, code: errno)
    }
    defer { Foundation.close(descriptor) }
    let answer = refold_byte_is_locked(descriptor, offset)
    guard answer >= 0 else {
      throw EventStoreError.system(operation: "read the locks of", path: path, code: -answer)
    }
    return answer == 1
  }

  private func create(_ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CREAT | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else {
      throw EventStoreError.system(operation: "create", path: path, code: errno)
    }
    // Whoever may write the store may lock it, whatever the umask, and also when it was root who
    // wrote to somebody's store first.
    var owner = stat()
    if stat(store, &owner) == 0 {
      _ = fchmod(descriptor, owner.st_mode & 0o666)
      if geteuid() == 0 { _ = fchown(descriptor, owner.st_uid, owner.st_gid) }
    }
    return descriptor
  }
}
