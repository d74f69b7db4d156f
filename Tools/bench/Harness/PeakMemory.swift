import Foundation
import Synchronization

/// The most memory that another process has had, looked at a hundred times a second.
///
/// What wait4 says would be no less than the memory of the process that started it: the kernel keeps
/// the mark through exec.
final class PeakMemory: Sendable {
  private struct Seen {
    var bytes: Int?
    var isOver = false
  }

  private let seen = Mutex(Seen())

  /// Begins to look at `process`.
  init(of process: pid_t) {
    Thread.detachNewThread { [self] in
      while !seen.withLock(\.isOver) {
        if let bytes = Self.bytes(of: process) { seen.withLock { $0.bytes = bytes } }
        usleep(10_000)
      }
    }
  }

  /// The last that was seen, in bytes; nil for a process that was over too soon.
  func stop() -> Int? {
    seen.withLock {
      $0.isOver = true
      return $0.bytes
    }
  }

  private static func bytes(of process: pid_t) -> Int? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
      let kilobytes = status.firstMatch(of: /VmHWM:\s*([0-9]+) kB/)
    else { return nil }
    return Int(kilobytes.1).map { $0 << 10 }
  }
}
