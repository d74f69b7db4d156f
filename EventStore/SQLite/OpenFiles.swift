import EventStoreCore
import Foundation

/// Which file lies under a name: another one under the same name is another file.
struct FileIdentity: Equatable, Sendable {
  private let device: dev_t
  private let inode: ino_t
  /// Whether it held nothing at that time.
  let isEmpty: Bool

  /// The file at `path`; nil where there is none.
  init?(of path: String) {
    var found = stat()
    guard stat(path, &found) == 0 else { return nil }
    (device, inode, isEmpty) = (found.st_dev, found.st_ino, found.st_size == 0)
  }

  /// Whether it is the same file, whatever it holds.
  static func == (left: FileIdentity, right: FileIdentity) -> Bool {
    left.device == right.device && left.inode == right.inode
  }
}

/// The files that a writer has open, by which it tells that somebody removed or replaced one of them.
///
/// SQLite goes on writing into a file that has lost its name, and what was acknowledged is gone when
/// the process ends. A file that is open keeps its number, so no other can be taken for it.
struct OpenFiles: Sendable {
  private struct File: Sendable {
    let path: String
    let identity: FileIdentity?

    init(_ path: String, _ identity: FileIdentity?) {
      (self.path, self.identity) = (path, identity)
    }

    var isInPlace: Bool { identity == nil || FileIdentity(of: path) == identity }
    /// Whether it is there, and was not emptied, as every checkpoint does to a -wal.
    var isInPlaceAndFilled: Bool {
      guard let identity else { return true }
      let now = FileIdentity(of: path)
      return now == identity && (now?.isEmpty == false || identity.isEmpty)
    }
    var isGone: Bool { !StoreFile.exists(path) }
  }

  private let name: String
  private let store: File
  /// The -wal and the -shm.
  private let beside: [File]

  /// Those of the store at `path`, which is open.
  ///
  /// - Parameters:
  ///   - name: what messages call the store.
  ///   - identity: the store's own file, as it was when it was opened first.
  init(of path: String, name: String, _ identity: FileIdentity?) {
    self.name = name
    store = File(path, identity)
    beside = ["-wal", "-shm"].map { File(path + $0, FileIdentity(of: path + $0)) }
  }

  /// Costs a system call a file.
  /// - Throws: `EventStoreError.removed`.
  func requireInPlace() throws {
    if !store.isInPlaceAndFilled { throw EventStoreError.removed(path: name) }
    let lost = beside.first { !$0.isInPlace }
    if let lost { throw EventStoreError.removed(path: name + lost.path.suffix(4)) }
  }

  /// What a writer may do with the WAL when it closes.
  enum Closing {
    /// Write it back, and remove it where nobody else has the store open.
    case writeBack
    /// The store's name is another file's, or nobody's: write it back into the file that was there. Where
    /// there is another, empty it, lest it is taken for that one's; else keep it, which may be all that
    /// is left.
    case writeBackOnly(emptying: Bool)
    /// Nothing: those that lie there are another store's, or another process's; or the store's file was
    /// emptied, and they are all that is left of it.
    case leave
  }

  /// What may be done as the files lie now.
  var closing: Closing {
    guard beside.allSatisfy({ $0.isInPlace || $0.isGone }) else { return .leave }
    if store.isInPlace, !store.isInPlaceAndFilled { return .leave }
    return store.isInPlace ? .writeBack : .writeBackOnly(emptying: !store.isGone)
  }
}
