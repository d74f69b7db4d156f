import Foundation

/// A file that a command reads, or standard input for nil and `-`.
struct InputFile {
  let descriptor: Int32
  /// What messages call it.
  let name: String
  private let isOwned: Bool

  /// Opens `path`.
  ///
  /// - Throws: `Failure` with `.notFound` where there is no such file.
  init(_ path: String?) throws {
    guard let path, path != "-" else {
      (descriptor, name, isOwned) = (STDIN_FILENO, "standard input", false)
      return
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Failure.system("open", Printable.line(path)) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      Foundation.close(descriptor)
      throw Failure.system("read", Printable.line(path), EISDIR)
    }
    (self.descriptor, name, isOwned) = (descriptor, Printable.line(path), true)
  }

  func close() {
    if isOwned { Foundation.close(descriptor) }
  }
}
