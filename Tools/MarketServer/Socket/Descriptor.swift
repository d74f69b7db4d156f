import Foundation
import Synchronization

/// Owns a file descriptor: closes it once. Who reads and writes uses `number`; anybody may end the
/// connection, but the number stays taken until its owner closes it, so that it is never another's.
final class Descriptor: Sendable {
  let number: Int32
  private let isOpen = Mutex(true)

  init(_ number: Int32) {
    self.number = number
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
  }

  deinit { close() }

  /// Ends a socket's connection both ways: who waits for it is woken.
  func shutDown() {
    isOpen.withLock { isOpen in
      if isOpen { _ = shutdown(number, Int32(SHUT_RDWR)) }
    }
  }

  func close() {
    isOpen.withLock { isOpen in
      if isOpen { _ = Foundation.close(number) }
      isOpen = false
    }
  }
}

/// A call of the system that failed.
public struct SystemError: Error, CustomStringConvertible {
  /// What failed, such as `bind`.
  public let call: String
  /// The system's number for why.
  public let code: Int32

  init(_ call: String, code: Int32 = errno) { (self.call, self.code) = (call, code) }

  /// What failed, and why.
  public var description: String { "\(call) failed: \(String(cString: strerror(code)))" }
}
