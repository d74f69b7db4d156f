import Foundation

/// Where a command's result goes: standard output, or a file that appears under its name only when
/// it is whole.
struct OutputFile {
  let output: Output
  private let descriptor: Int32?
  private let path: String?
  private let temporaryPath: String?

  /// Opens `path`; standard output for nil and `-`.
  ///
  /// - Throws: `Failure` where it cannot be created.
  init(_ given: String?, _ console: Console) throws {
    guard let given, given != "-" else {
      (output, descriptor, self.path, temporaryPath) = (console.output, nil, nil, nil)
      return
    }
    // A pipe or a device cannot be replaced by another file: it is written as it is.
    var status = stat()
    let exists = stat(given, &status) == 0
    let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
    let path = exists ? URL(fileURLWithPath: given).resolvingSymlinksInPath().path : given
    let target = isSpecial ? path : "\(path).\(getpid()).part"
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC
    let descriptor = open(target, flags, exists ? status.st_mode & 0o777 : 0o600)
    guard descriptor >= 0 else { throw Failure.system("write", Printable.line(path)) }
    self.descriptor = descriptor
    self.path = path
    temporaryPath = isSpecial ? nil : target
    output = Output(descriptor, name: Printable.line(path))
  }

  /// Whether the result goes to standard output.
  var isStandardOutput: Bool { descriptor == nil }

  /// Makes the result durable and gives it its name.
  ///
  /// - Throws: `Failure`, `OutputClosed`.
  func finish() throws {
    try output.flush()
    guard let descriptor, let path else { return }
    defer { close(descriptor) }
    guard let temporaryPath else { return }
    if fsync(descriptor) != 0 { throw Failure.system("write", Printable.line(path)) }
    if rename(temporaryPath, path) != 0 { throw Failure.system("write", Printable.line(path)) }
  }

  /// Removes what was written so far.
  func abandon() {
    if let temporaryPath { unlink(temporaryPath) }
    if let descriptor { close(descriptor) }
  }
}
