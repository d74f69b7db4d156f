import Synchronization

/// Something that happens once, whichever thread is first.
final class Latch: Sendable {
  private let state = Mutex(false)

  var isClosed: Bool { state.withLock { $0 } }

  /// - Returns: false where it was closed already.
  @discardableResult
  func close() -> Bool {
    state.withLock { isClosed in
      defer { isClosed = true }
      return !isClosed
    }
  }
}
