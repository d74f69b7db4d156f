import Foundation

/// A file on its way to a name. It has none until it is whole, so that nothing is left of it when the
/// process ends before that, however it ends; where a file system knows no such files, it has another.
struct DraftFile {
  let descriptor: Int32
  private let path: String
  private let temporaryPath: String?

  /// Makes a draft of the file at `path`, for writing.
  ///
  /// - Returns: nil where it cannot be made; `errno` says why.
  init?(of path: String, mode: mode_t) {
    self.path = path
    let folder = Self.folder(of: path)
    let unnamed = open(folder, Self.unnamed | O_WRONLY | O_CLOEXEC, mode)
    if unnamed >= 0 {
      if access(Self.link(to: unnamed), F_OK) == 0 {
        (descriptor, temporaryPath) = (unnamed, nil)
        return
      }
      close(unnamed)
    }
    let name = Self.freshName(beside: path)
    let named = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    if named < 0 { return nil }
    (descriptor, temporaryPath) = (named, name)
  }

  /// Makes what was written durable, gives it its name, and closes.
  ///
  /// - Parameter isNew: whether a file that has the name already stays; else it is replaced.
  /// - Returns: whether it has the name now. Else `errno` says why, and the draft is to be abandoned.
  func publish(isNew: Bool = false) -> Bool {
    let code = published(isNew: isNew)
    if code == 0 { close(descriptor) }
    errno = code
    return code == 0
  }

  /// Removes it.
  func abandon() {
    if let temporaryPath { unlink(temporaryPath) }
    close(descriptor)
  }

  private func published(isNew: Bool) -> Int32 {
    if fsync(descriptor) != 0 { return errno }
    let source = temporaryPath ?? Self.link(to: descriptor)
    if linkat(AT_FDCWD, source, AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0 {
      if let temporaryPath { unlink(temporaryPath) }
    } else if errno != EEXIST || isNew {
      return errno
    } else if let code = replace(source) {
      return code
    }
    syncFolder()
    return 0
  }

  /// A link cannot replace a file, a renaming can.
  private func replace(_ source: String) -> Int32? {
    var name = source
    if temporaryPath == nil {
      name = Self.freshName(beside: path)
      if linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW) != 0 { return errno }
    }
    if rename(name, path) == 0 { return nil }
    defer { unlink(name) }
    return errno
  }

  private func syncFolder() {
    let folder = open(Self.folder(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    fsync(folder)
    close(folder)
  }

  /// `O_TMPFILE`, which glibc shows only under _GNU_SOURCE.
  private static let unnamed = 0o20000000 | O_DIRECTORY

  private static func link(to descriptor: Int32) -> String { "/proc/self/fd/\(descriptor)" }

  private static func freshName(beside path: String) -> String { "\(path).\(UUID().uuidString)" }

  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
