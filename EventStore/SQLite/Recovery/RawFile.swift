import EventStoreCore
import Foundation

/// A file that is read by offset and never written. Owns its descriptor.
///
/// Only for a file that this process has not open as a store: closing a descriptor drops the POSIX
/// locks that SQLite has on the file (sqlite.org/howtocorrupt.html, section 2.2).
final class RawFile: ByteSource {
  /// How many bytes it had when it was opened.
  let size: Int
  private let descriptor: Int32
  private let name: String

  /// Opens the file at `path`, which messages call `name`; nil where there is none.
  /// - Throws: `EventStoreError.system`, `.cannotOpen` where it is a pipe or the like.
  init?(_ path: String, name: String) throws {
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    self.name = name
    guard descriptor >= 0 else {
      guard errno == ENOENT else {
        throw EventStoreError.system(operation: "open", path: name, code: errno)
      }
      return nil
    }
    var found = stat()
    guard fstat(descriptor, &found) == 0 else {
      throw EventStoreError.system(operation: "read", path: name, code: errno)
    }
    size = Int(found.st_size)
    guard found.st_mode & S_IFMT == S_IFREG else {
      throw EventStoreError.cannotOpen(path: name, reason: "it is not a file")
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// The `count` bytes at `offset`, fewer at the end.
  /// - Throws: `EventStoreError.system`; a sector that cannot be read reads as zeros.
  func read(at offset: Int, count: Int) throws -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    let wanted = min(count, size - offset)
    var (bytes, filled) = ([UInt8](repeating: 0, count: wanted), 0)
    while filled < wanted {
      let got = bytes.withUnsafeMutableBytes {
        pread(
          descriptor, $0.baseAddress?.advanced(by: filled), wanted - filled, off_t(offset + filled))
      }
      if got > 0 {
        filled += got
      } else if got == 0 || errno == EIO {
        return bytes
      } else if errno != EINTR {
        throw EventStoreError.system(operation: "read", path: name, code: errno)
      }
    }
    return bytes
  }
}
