import Foundation

/// The file that lines which were not accepted go to, whole, behind what it holds already.
final class RejectsFile: Sendable {
  private let output: Output

  /// Opens `path`, created with mode 0600 where there is none.
  ///
  /// - Throws: `Failure`.
  init(_ path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure.system("write", Printable.line(path)) }
    output = Output(descriptor, name: Printable.line(path))
  }

  /// Adds a line, with a line feed.
  func add(_ line: [UInt8]) throws {
    output.write(line + [UInt8(ascii: "\n")])
    try output.flush()
  }

  /// Adds a piece of a line that is longer than fits in memory.
  func add(piece: ArraySlice<UInt8>) throws {
    output.write(Array(piece))
    try output.flush()
  }
}
