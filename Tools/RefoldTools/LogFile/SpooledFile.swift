import Foundation

/// Input that can be read twice: a regular file as it is, anything else copied to a temporary file
/// that has no name.
struct SpooledFile {
  let descriptor: Int32
  private let isOwned: Bool

  /// Takes over `input`.
  ///
  /// - Throws: `Failure` when it cannot be copied.
  init(_ input: InputFile) throws {
    var status = stat()
    if fstat(input.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
      lseek(input.descriptor, 0, SEEK_CUR) == 0
    {
      (descriptor, isOwned) = (input.descriptor, false)
      return
    }
    (descriptor, isOwned) = (try Self.unnamedFile(), true)
    try copy(from: input)
    try rewind()
  }

  /// Goes back to the beginning.
  func rewind() throws {
    if lseek(descriptor, 0, SEEK_SET) != 0 { throw Failure.system("rewind", "the input") }
  }

  func close() {
    if isOwned { Foundation.close(descriptor) }
  }

  /// A temporary file without a name, gone when it is closed.
  static func unnamedFile() throws -> Int32 {
    let folder = NSTemporaryDirectory()
    var template = Array((folder + "/refold-XXXXXX").utf8CString)
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw Failure.system("create a file in", folder) }
    unlink(template)
    return descriptor
  }

  private func copy(from input: InputFile) throws {
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = block.withUnsafeMutableBytes {
        read(input.descriptor, $0.baseAddress, $0.count)
      }
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.system("read", input.name)
      }
      let output = Output(descriptor, name: "a temporary file")
      output.write(Array(block[..<count]))
      try output.flush()
    }
  }
}
