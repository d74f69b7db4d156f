import Foundation

/// A pipe by which signal handlers and worker threads wake the screen's loop.
final class WakeUp: Sendable {
  /// What the loop polls.
  let readingEnd: Int32
  private let writingEnd: Int32

  /// - Throws: `Failure` when the system has no pipe to give.
  init() throws {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { throw Failure.system("create", "a pipe") }
    for end in ends {
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
    }
    (readingEnd, writingEnd) = (ends[0], ends[1])
    TerminalSignals.install(wakeUpEnd: writingEnd)
  }

  deinit {
    TerminalSignals.uninstall()
    close(readingEnd)
    close(writingEnd)
  }

  /// Wakes the loop without a signal.
  func wake() {
    var byte: UInt8 = 0
    _ = Foundation.write(writingEnd, &byte, 1)
  }

  /// The signals that came since the last call.
  func signals() -> Set<Int32> {
    var (signals, bytes) = (Set<Int32>(), [UInt8](repeating: 0, count: 256))
    while true {
      let count = Foundation.read(readingEnd, &bytes, bytes.count)
      guard count > 0 else { return signals }
      for byte in bytes[..<count] where byte != 0 { signals.insert(Int32(byte)) }
    }
  }
}
