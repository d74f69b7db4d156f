import CSQLite
import EventStoreCore
import Foundation

/// The lock by which the writers of a store, whatever process they are in, take turns: an exclusive
/// `flock` on the file `<store>-lock`, held for one transaction or checkpoint.
///
/// `flock` alone is not fair: a writer that unlocks and locks at once is faster than the one that
/// the kernel wakes up. So there is a gate before it, an open-file-description lock on byte 0 of
/// the same file, held only between asking for the lock and getting it. Whoever waits stands in the
/// gate; the writer that comes back finds the gate taken, and its turn is the next. Uncontended,
/// the two cost four system calls.
///
/// Within a process the writers of one store object come here one at a time; two store objects on
/// one file have descriptions of their own and exclude each other like two processes.
final class WriterLock {
  private static let gate: Int64 = 0

  private let file: LockFile
  private let path: String
  private let descriptor: Int32

  /// A lock on `file`, not held.
  init(_ file: LockFile, path: String) throws {
    self.file = file
    self.path = path
    descriptor = try file.open(writing: true)
  }

  deinit { Foundation.close(descriptor) }

  /// Waits, at most `seconds`, until nobody has the lock on `file`, if there is such a file. For who may
  /// not write: takes no turn.
  /// - Throws: `EventStoreError.locked`, `.system`.
  static func await(_ file: LockFile, path: String, seconds: Double) throws {
    guard StoreFile.exists(file.path) else { return }
    let lock = try WriterLock(reading: file, path: path)
    try lock.wait(until: .now + .seconds(seconds), seconds) {
      flock(lock.descriptor, LOCK_SH | LOCK_NB) == 0 ? 0 : errno
    }
    lock.release()
  }

  private init(reading file: LockFile, path: String) throws {
    self.file = file
    self.path = path
    descriptor = try file.open(writing: false)
  }

  /// Waits for the lock, at most `seconds`.
  /// - Throws: `EventStoreError.locked`.
  func acquire(seconds: Double) throws {
    let deadline = ContinuousClock.now + .seconds(seconds)
    try wait(until: deadline, seconds) { refold_lock_byte(descriptor, Self.gate) }
    defer { _ = refold_unlock_byte(descriptor, Self.gate) }
    try wait(until: deadline, seconds) {
      flock(descriptor, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    }
  }

  /// Lets the next one in.
  func release() { _ = flock(descriptor, LOCK_UN) }

  /// Polls, because neither lock can be waited for with a limit of time: first often, then, when it
  /// takes longer than a usual transaction, every millisecond.
  private func wait(
    until deadline: ContinuousClock.Instant, _ seconds: Double, _ attempt: () -> Int32
  ) throws {
    var pause: UInt32 = 20
    while true {
      switch attempt() {
      case 0: return
      case EAGAIN, EACCES:
        guard ContinuousClock.now < deadline else {
          throw EventStoreError.locked(path: path, seconds: seconds)
        }
        usleep(pause)
        pause = min(pause * 2, 1000)
      case EINTR: continue
      case let code: throw EventStoreError.system(operation: "lock", path: file.path, code: code)
      }
    }
  }
}

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
    let flags = (writing ? O_RDWR : O_RDONLY) | O_CLOEXEC
    let descriptor = Foundation.open(path, flags)
    if descriptor >= 0 { return descriptor }
    guard writing, errno == ENOENT else {
      throw EventStoreError.system(operation: "open", path: path, code: errno)
    }
    return try create(flags)
  }

  /// Whether somebody, in this process or another, has locked the byte at `offset`.
  /// - Throws: `EventStoreError.system`.
  func isLocked(at offset: Int64) throws -> Bool {
    guard StoreFile.exists(path) else { return false }
    let descriptor = try open(writing: false)
    defer { Foundation.close(descriptor) }
    let answer = refold_byte_is_locked(descriptor, offset)
    guard answer >= 0 else {
      throw EventStoreError.system(operation: "read the locks of", path: path, code: -answer)
    }
    return answer == 1
  }

  private func create(_ flags: Int32) throws -> Int32 {
    let descriptor = Foundation.open(path, flags | O_CREAT, 0o600)
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
