import CSQLite
import EventStoreCore
import Foundation

/// The file that a whole store is written to, a backup or what was recovered: under a name that nobody
/// knows until it is whole, and then under its own.
///
/// Not opened here while SQLite has it open: that would drop SQLite's locks.
struct DraftStoreFile {
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
    part = Self.part(of: file.path)
    try Self.requireFree(file, replaces: replaces)
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
    try Self.requireFree(file, replaces: replaces)
    let code =
      replaces ? (rename(part, file.path) == 0 ? 0 : errno) : refold_rename_new(part, file.path)
    if code == EEXIST { throw EventStoreError.fileExists(path: name) }
    if code != 0 { throw EventStoreError.system(operation: "write", path: name, code: code) }
    try sync(file.folder, O_RDONLY | O_DIRECTORY, "write the folder of")
  }

  /// Removes what was written.
  func abandon() {
    unlink(part)
    removeBeside()
  }

  /// Removes what SQLite and a writer's lock left beside it.
  func removeBeside() {
    for suffix in ["-journal", "-wal", "-shm", "-lock"] { unlink(part + suffix) }
  }

  /// What lies there must not be lost, nor be in use; and a -wal file would be taken for the new store's.
  static func requireFree(_ file: StoreFile, replaces: Bool) throws {
    let beside = ["-wal", "-shm", "-journal"].first { isThere(file.path + $0) }
    if replaces {
      if let beside { throw EventStoreError.inUse(path: file.name, beside: file.name + beside) }
    } else if let there = isThere(file.path) ? "" : beside {
      throw EventStoreError.fileExists(path: file.name + there)
    }
  }

  /// A name beside `path` that is not longer than names may be.
  private static func part(of path: String) -> String {
    let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
    let most = 255 - 24
    var name = path[slash...]
    while name.utf8.count > most { name.removeLast() }
    let random = String(UInt64.random(in: 0 ... .max), radix: 36)
    return "\(path[..<slash])\(name).\(random).part"
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
