import Foundation

/// Something that happens once, and that `poll` can wait for beside sockets: a pipe that is
/// readable from then on.
final class Wake: Sendable {
  private let ends: (read: Descriptor, write: Descriptor)

  /// - Throws: `SystemError` where the system has no pipe to give.
  init() throws {
    var numbers: [Int32] = [0, 0]
    guard pipe(&numbers) == 0 else { throw SystemError("pipe") }
    ends = (Descriptor(numbers[0]), Descriptor(numbers[1]))
  }

  /// Is readable once it has happened.
  var descriptor: Int32 { ends.read.number }

  func happen() {
    var byte: UInt8 = 1
    _ = write(ends.write.number, &byte, 1)
  }
}
