import EventStoreCore

/// Hands the one writer of a store object from thread to thread, in the order of asking.
///
/// `@unchecked Sendable`: `writer`, `hasFailed` and `isClosed` are touched only while `turns` is held.
final class WriterQueue: @unchecked Sendable {
  private let turns = TurnLock()
  private let path: String
  private let patience: Double
  private let open: @Sendable (_ afterFailure: Bool) throws -> Writer
  private var writer: Writer?
  private var hasFailed = false
  private var isClosed = false

  /// A queue for the store at `path`, whose writer `open` makes, at first and after one failed.
  init(
    path: String, patience: Double,
    open: @escaping @Sendable (_ afterFailure: Bool) throws -> Writer
  ) {
    self.path = path
    self.patience = patience
    self.open = open
  }

  /// Lends the writer to `body`, when it is this call's turn; opens one where there is none.
  ///
  /// - Throws: `EventStoreError.locked` when the turn did not come within `seconds`; `.closed`; what
  ///   opening and `body` throw.
  func withWriter<T>(waiting seconds: Double? = nil, _ body: (Writer) throws -> T) throws -> T {
    let seconds = seconds ?? patience
    return try turns.withLock(seconds: seconds, orThrow: .locked(path: path, seconds: seconds)) {
      if isClosed { throw EventStoreError.closed }
      let writer = try self.writer ?? open(hasFailed)
      self.writer = writer
      hasFailed = false
      defer {
        // Where even a rollback failed, the next transaction starts on a new connection.
        if !writer.isUsable {
          self.writer = nil
          hasFailed = true
        }
      }
      return try body(writer)
    }
  }

  /// Waits for the running transaction, and closes the writer after `closeReaders`, so that it is
  /// the last connection; does `tidy` where there is none.
  func close(closeReaders: () -> Void, tidy: () -> Void) {
    _ = turns.acquire(seconds: nil)
    defer { turns.release() }
    guard !isClosed else { return }
    isClosed = true
    closeReaders()
    guard let writer else { return tidy() }
    writer.close()
    self.writer = nil
  }
}
