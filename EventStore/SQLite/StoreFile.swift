import CSQLite
import EventStoreCore
import Foundation

/// Where a store lies, and what may be done there.
///
/// The file itself is never opened here once it may be in use: closing any descriptor of it would
/// release the POSIX locks that SQLite holds on it (sqlite.org/howtocorrupt.html, section 2.2).
struct StoreFile {
  /// The path as it was given, for messages.
  let name: String
  /// The absolute path without symbolic links: SQLite names -wal and -shm by it, and so must the
  /// lock file be named, or two names of one file would not exclude each other.
  let path: String
  /// Its folder.
  let folder: String
  /// Whether there is a file.
  let exists: Bool

  /// Finds the file called `name`.
  /// - Throws: `EventStoreError.cannotOpen` where the folder is missing or a folder is named.
  init(named name: String) throws {
    self.name = name
    guard !name.isEmpty, !name.utf8.contains(0) else {
      throw EventStoreError.cannotOpen(path: name, reason: "this is not a path")
    }
    let found = Self.resolved(name)
    let missing = errno
    if let path = found {
      self.path = path
      folder = Self.split(path).folder
      exists = true
      guard Self.isRegularFile(path) else {
        throw EventStoreError.cannotOpen(path: name, reason: "it is not a file")
      }
    } else {
      let (given, last) = Self.split(name)
      guard let folder = Self.resolved(given) else {
        throw EventStoreError.cannotOpen(
          path: name,
          reason: errno == ENOENT || errno == ENOTDIR
            ? "there is no folder \(given)" : "its folder: \(String(cString: strerror(errno)))")
      }
      // A link that leads nowhere, a name that is too long, a folder that may not be entered.
      guard missing == ENOENT, !Self.isLink(name) else {
        throw EventStoreError.cannotOpen(
          path: name,
          reason: missing == ENOENT
            ? "it is a symbolic link to a file that is not there"
            : String(cString: strerror(missing)))
      }
      guard !last.isEmpty else {
        throw EventStoreError.cannotOpen(path: name, reason: "it names no file")
      }
      self.folder = folder
      path = folder == "/" ? "/" + last : folder + "/" + last
      exists = false
    }
  }

  /// The file at `path`, which is there and absolute, under another name.
  init(at path: String, named name: String) {
    (self.name, self.path, folder, exists) = (name, path, Self.split(path).folder, true)
  }

  /// Refuses network file systems, whose locks and shared memory SQLite cannot rely on.
  /// - Throws: `EventStoreError.networkFileSystem`.
  func requireLocalFileSystem() throws {
    if let kind = NetworkFileSystem.name(of: refold_file_system_type(folder)) {
      throw EventStoreError.networkFileSystem(path: name, kind: kind)
    }
  }

  /// - Throws: `EventStoreError.cannotOpen` where the folder does not let a file be made.
  func requireCreatable() throws {
    if access(folder, W_OK | X_OK) != 0 { throw folderRefuses }
  }

  private var folderRefuses: EventStoreError {
    .cannotOpen(path: name, reason: "the folder is not writable")
  }

  /// Creates the file, empty and for its owner only, unless it is there by now.
  ///
  /// - Returns: whether it was created.
  /// - Throws: `EventStoreError.cannotOpen`, `.system`.
  func create() throws -> Bool {
    let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      switch errno {
      case EEXIST: return false
      case EACCES, EPERM, EROFS: throw folderRefuses
      case let code: throw EventStoreError.system(operation: "create", path: name, code: code)
      }
    }
    // Whatever the umask.
    _ = fchmod(descriptor, 0o600)
    close(descriptor)
    syncFolder()
    return true
  }

  /// The folder's entry must be as durable as the first commit.
  private func syncFolder() {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// What the system allows here.
  var permissions: Permissions {
    Permissions(
      mayRead: access(path, R_OK) == 0, mayWrite: access(path, W_OK) == 0,
      mayWriteFolder: access(folder, W_OK | X_OK) == 0, hasRoom: Self.hasRoom(folder),
      walBytes: Self.size(path + "-wal"))
  }

  /// Whether SQLite can make the files by which readers know what is in the -wal: 32 KiB and some.
  private static func hasRoom(_ folder: String) -> Bool {
    var found = statvfs()
    guard statvfs(folder, &found) == 0 else { return true }
    return UInt64(found.f_bavail) * UInt64(found.f_frsize) >= 64 << 10
  }

  /// The bytes of the file at `path`, 0 where there is none.
  static func size(_ path: String) -> Int {
    var found = stat()
    return stat(path, &found) == 0 ? Int(found.st_size) : 0
  }

  /// Whether there is a file at `path`.
  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private static func isRegularFile(_ path: String) -> Bool {
    var found = stat()
    return stat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFREG
  }

  /// Refuses anything but files in the place of those beside the store: what is written to a link would go
  /// to where somebody else says, and who reads a pipe waits.
  /// - Throws: `EventStoreError.cannotOpen`.
  func requireFilesBeside() throws {
    for suffix in ["-wal", "-shm", "-lock", "-journal"] {
      var found = stat()
      guard lstat(path + suffix, &found) == 0, found.st_mode & S_IFMT != S_IFREG else { continue }
      let isLink = found.st_mode & S_IFMT == S_IFLNK
      throw EventStoreError.cannotOpen(
        path: name,
        reason: "\(name)\(suffix) is \(isLink ? "a symbolic link" : "no file"). Remove it")
    }
  }

  private static func isLink(_ path: String) -> Bool {
    var found = stat()
    return lstat(path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK
  }

  private static func resolved(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  private static func split(_ path: String) -> (folder: String, last: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = slash == path.startIndex ? "/" : String(path[..<slash])
    return (folder, String(path[path.index(after: slash)...]))
  }
}

/// What the system allows where a store lies.
struct Permissions: Equatable {
  var mayRead: Bool
  var mayWrite: Bool
  var mayWriteFolder: Bool
  /// Whether the disk has room for the files that SQLite makes to read in place.
  var hasRoom = true
  /// The bytes of the -wal file, 0 where there is none.
  var walBytes: Int

  /// How a store is read.
  enum ReadingMode: Equatable {
    /// Where it lies, with SQLite's locks: SQLite can make the -shm file that these need.
    case inPlace
    /// Where it lies, as a file that nobody changes: there is nothing in a -wal to be missed.
    case immutable
    /// A private copy of the file and its -wal: SQLite can neither make a -shm file here nor may it
    /// pass over what is in the -wal.
    case privateCopy
  }

  /// How to read here. Never immutable where the folder can be written: a writer may come.
  var readingMode: ReadingMode {
    if mayWriteFolder { return hasRoom ? .inPlace : .privateCopy }
    return walBytes == 0 ? .immutable : .privateCopy
  }
}

/// File systems whose files lie on another machine, by the numbers of statfs(2).
enum NetworkFileSystem {
  /// What the file system numbered `type` is called, or nil for a local one.
  static func name(of type: UInt32) -> String? {
    switch type {
    case 0x6969: "NFS"
    case 0x517b: "SMB"
    case 0xfe53_4d42: "SMB2"
    case 0xff53_4d42: "CIFS"
    case 0x564c: "NCP"
    case 0x00c3_6400: "Ceph"
    case 0x0bd0_0bd0: "Lustre"
    case 0x5346_414f, 0x6b41_4653: "AFS"
    case 0x7375_7245: "Coda"
    default: nil
    }
  }
}

/// A copy of a store in a temporary folder that only this user can enter; removed with it.
final class PrivateCopy: Sendable {
  /// The copied file.
  let path: String
  private let folder: String

  private static let attempts = 5

  /// Copies `file` and its -wal.
  /// - Throws: `EventStoreError.system`, `.cannotOpen`.
  init(of file: StoreFile) throws {
    let temporary = ProcessInfo.processInfo.environment["TMPDIR"] ?? "/tmp"
    var template = Array("\(temporary)/refold-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw EventStoreError.system(
        operation: "make a folder for a copy in", path: temporary, code: errno)
    }
    folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = folder + "/copy.sqlite"
    try copy(file)
  }

  deinit { remove() }

  /// Removes the copy. Does nothing the second time.
  func remove() { try? FileManager.default.removeItem(atPath: folder) }

  /// Both files must be of the same moment: copies again when one changed meanwhile.
  private func copy(_ file: StoreFile) throws {
    for _ in 0..<Self.attempts {
      let before = [Self.stamp(file.path), Self.stamp(file.path + "-wal")]
      try copy(file.path, to: path, name: file.name)
      if before[1] != nil {
        try copy(file.path + "-wal", to: path + "-wal", name: file.name + "-wal")
      }
      if before == [Self.stamp(file.path), Self.stamp(file.path + "-wal")] { return }
    }
    throw EventStoreError.cannotOpen(
      path: file.name, reason: "it is being written, and reading along needs a writable folder")
  }

  private func copy(_ source: String, to target: String, name: String) throws {
    do {
      if access(target, F_OK) == 0 { try FileManager.default.removeItem(atPath: target) }
      try FileManager.default.copyItem(atPath: source, toPath: target)
    } catch let error as CocoaError where error.code == .fileWriteOutOfSpace {
      throw EventStoreError.diskFull(path: target)
    } catch {
      throw EventStoreError.cannotOpen(path: name, reason: "it cannot be copied to read it")
    }
    _ = chmod(target, 0o600)
  }

  private struct Stamp: Equatable {
    var size: Int
    var seconds: Int
    var nanoseconds: Int
  }

  private static func stamp(_ path: String) -> Stamp? {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    return Stamp(
      size: Int(found.st_size), seconds: found.st_mtim.tv_sec,
      nanoseconds: found.st_mtim.tv_nsec)
  }
}
