import Foundation

/// Where a command's result goes: standard output, or a file that appears under its name only when
/// it is whole.
struct OutputFile {
  let output: Output
  private let path: String?
  private let draft: DraftFile?
  /// Of a pipe or a device.
  private let descriptor: Int32?

  /// Opens `path`; standard output for nil and `-`.
  ///
  /// - Throws: `Failure` where it cannot be created.
  init(_ given: String?, _ console: Console) throws {
    guard let given, given != "-" else {
      (output, self.path, draft, descriptor) = (console.output, nil, nil, nil)
      return
    }
    // A pipe or a device cannot be replaced by another file: it is written as it is.
    var status = stat()
    let exists = stat(given, &status) == 0
    let isSpecial = exists && status.st_mode & S_IFMT != S_IFREG
    let path = exists ? URL(fileURLWithPath: given).resolvingSymlinksInPath().path : given
    self.path = path
    if isSpecial {
      let descriptor = open(path, O_WRONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw Failure.system("write", Printable.line(path)) }
      (draft, self.descriptor) = (nil, descriptor)
      output = Output(descriptor, name: Printable.line(path))
    } else {
      guard let draft = DraftFile(of: path, mode: exists ? status.st_mode & 0o777 : 0o600) else {
        throw Failure.system("write", Printable.line(path))
      }
      (self.draft, descriptor) = (draft, nil)
      output = Output(draft.descriptor, name: Printable.line(path))
    }
  }

  /// Whether the result goes to standard output.
  var isStandardOutput: Bool { path == nil }

  /// Makes the result durable and gives it its name; where that fails, it is to be abandoned.
  ///
  /// - Parameter isNew: whether a file that has the name already stays, and this fails.
  /// - Throws: `Failure`, `OutputClosed`.
  func finish(isNew: Bool = false) throws {
    try output.flush()
    if let descriptor { close(descriptor) }
    if let draft, let path, !draft.publish(isNew: isNew) {
      throw Failure.system("write", Printable.line(path))
    }
  }

  /// Removes what was written so far.
  func abandon() {
    draft?.abandon()
    if let descriptor { close(descriptor) }
  }
}
