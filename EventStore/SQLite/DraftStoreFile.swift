import CSQLite
import EventStoreCore
import Foundation

/// The file that a backup is written to: under a name that nobody knows until it is whole, and then
/// under its own.
///
/// Not opened here while SQLite has it open: that would drop SQLite's locks.
struct BackupFile {
  /// Its name as it was given, for messages.
  let name: String
  /// Where it is until it is whole.
  let part: String
  private let file: StoreFile
  private let replaces: Bool

  /// Makes the file, empty and for its owner alone.
  ///
  /// - Throws: `EventStoreError.fileExists`, `.inUse`, `.cannotOpen`, `.system`.
  init(named name: String, of store: StoreFile, replaces: Bool) throws {
    (self.name, self.replaces) = (name, replaces)
    file = try StoreFile(named: name)
    guard !Self.areSame(file.path, store.path) else {
      throw EventStoreError.cannotOpen(path: name, reason: "it is the store itself")
    }
    part = "\(file.path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).part"
    try requireFree()
    let descriptor = open(part, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw EventStoreError.system(operation: "create a file beside", path: name, code: errno)
    }
    // Whatever the umask.
    _ = fchmod(descriptor, 0o600)
    close(descriptor)
  }

  /// Puts what was written on the disk, and gives it its name.
  ///
  /// - Throws: `EventStoreError.fileExists`, `.inUse`, `.diskFull`, `.system`.
  func finish() throws {
    try sync(part, O_RDWR, "write")
    try requireFree()
    let code =
      replaces ? (rename(part, file.path) == 0 ? 0 : errno) : refold_rename_new(part, file.path)
    if code == EEXIST { throw EventStoreError.fileExists(path: name) }
    if code != 0 { throw EventStoreError.system(operation: "write", path: name, code: code) }
    try sync(file.folder, O_RDONLY | O_DIRECTORY, "write the folder of")
  }

  /// Removes what was written.
  func abandon() {
    for suffix in ["", "-journal"] { unlink(part + suffix) }
  }

  /// What lies there must not be lost, nor be in use; and a -wal file would be taken for the copy's.
  private func requireFree() throws {
    let beside = ["-wal", "-shm", "-journal"].first { Self.isThere(file.path + $0) }
    if replaces {
      if let beside { throw EventStoreError.inUse(path: name, beside: name + beside) }
    } else if let there = Self.isThere(file.path) ? "" : beside {
      throw EventStoreError.fileExists(path: name + there)
    }
  }

  private func sync(_ path: String, _ flags: Int32, _ operation: String) throws {
    let descriptor = open(path, flags | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw EventStoreError.system(operation: operation, path: name, code: errno)
    }
    defer { close(descriptor) }
    guard fsync(descriptor) != 0 else { return }
    switch errno {
    // A file system that cannot do this to a folder.
    case EINVAL where flags & O_DIRECTORY != 0: return
    case ENOSPC, EDQUOT: throw EventStoreError.diskFull(path: name)
    case let code: throw EventStoreError.system(operation: operation, path: name, code: code)
    }
  }

  /// Whether something is called `path`, be it a link that leads nowhere.
  private static func isThere(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0
  }

  private static func areSame(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev
      && one.st_ino == other.st_ino
  }
}
