import Foundation

/// The data of a page, on their way through a temporary file.
struct PageSpool {
  private let descriptor: Int32
  private let output: Output

  /// - Throws: `Failure` where no file can be created.
  init() throws {
    descriptor = try SpooledFile.unnamedFile()
    output = Output(descriptor, name: "a temporary file")
  }

  /// Adds `bytes`.
  func write(_ bytes: [UInt8]) { output.write(bytes) }

  /// Throws what went wrong in writing.
  func check() throws { if output.hasFailed { try output.flush() } }

  /// Forgets what was written.
  ///
  /// - Throws: `Failure`.
  func empty() throws {
    try output.flush()
    guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Failure.system("empty", "a temporary file")
    }
  }

  /// Writes everything to `target`.
  ///
  /// - Throws: `Failure`, `OutputClosed`.
  func copy(to target: Output) throws {
    try output.flush()
    guard lseek(descriptor, 0, SEEK_SET) == 0 else {
      throw Failure.system("rewind", "a temporary file")
    }
    var block = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count == 0 { return }
      if count < 0 {
        if errno == EINTR { continue }
        throw Failure.system("read", "a temporary file")
      }
      target.write(Array(block[..<count]))
      if target.hasFailed { try target.flush() }
    }
  }

  /// Removes the file.
  func close() { Foundation.close(descriptor) }
}
