import Foundation

/// The files that a store is made of, which nothing else may be written to or read as: besides the
/// harm in that, closing a second descriptor of such a file drops the locks that SQLite has on it
/// (sqlite.org/howtocorrupt.html).
struct StoreFiles {
  private let paths: [String]

  /// The files of the store at `path`.
  init(_ path: String) {
    paths = ["", "-wal", "-shm", "-lock", "-journal", "-key"].map { path + $0 }
  }

  /// - Throws: `Failure` with `.usage` where `path`, given for `purpose`, is one of them.
  func refuse(_ path: String, as purpose: String) throws {
    guard paths.contains(where: { Self.areSame($0, path) }) else { return }
    throw Failure(
      .usage, "\(purpose) \(Printable.line(path)) is a file of the store. Choose another place.")
  }

  /// Whether two paths are one file, or would be.
  static func areSame(_ left: String, _ right: String) -> Bool {
    var (one, other) = (stat(), stat())
    guard stat(left, &one) == 0, stat(right, &other) == 0 else {
      return absolute(left) == absolute(right)
    }
    return one.st_dev == other.st_dev && one.st_ino == other.st_ino
  }

  private static func absolute(_ path: String) -> String {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().resolvingSymlinksInPath()
    return folder.appendingPathComponent(url.lastPathComponent).path
  }
}
