import EventStoreCore
import Foundation

/// The connections that read. Each call has one to itself, so readers wait neither for each other
/// nor for the writer; a few are kept for the next call.
///
/// `@unchecked Sendable`: `idle`, `lent` and `isClosed` are touched only while `condition` is locked,
/// and a reader that was taken out of `idle` is used by the one thread that took it, until that
/// thread puts it back.
final class ReaderPool: @unchecked Sendable {
  private static let kept = 4

  private let condition = NSCondition()
  private let open: @Sendable () throws -> LogReader
  private var idle: [LogReader] = []
  private var lent = 0
  private var isClosed = false

  /// A pool whose connections `open` makes.
  init(open: @escaping @Sendable () throws -> LogReader) { self.open = open }

  /// Lends a reader to `body`.
  /// - Throws: `EventStoreError.closed`; what opening and `body` throw.
  func withReader<T>(_ body: (LogReader) throws -> T) throws -> T {
    let known = try take()
    var reader: LogReader?
    defer { putBack(reader) }
    let opened = try known ?? open()
    do {
      let result = try body(opened)
      reader = opened
      return result
    } catch let error as EventStoreError where error.leavesCacheInDoubt {
      opened.connection.close()
      throw error
    } catch {
      reader = opened
      throw error
    }
  }

  /// Runs `body`, which opens a connection of its own and closes it; `close` waits for it.
  /// - Throws: `EventStoreError.closed`; what `body` throws.
  func whileOpen<T>(_ body: () throws -> T) throws -> T {
    let idle = try take()
    defer { putBack(idle) }
    return try body()
  }

  /// Waits for the readers that are lent, and closes all.
  func close() {
    condition.lock()
    defer { condition.unlock() }
    isClosed = true
    while lent > 0 { condition.wait() }
    for reader in idle { reader.connection.close() }
    idle = []
  }

  private func take() throws -> LogReader? {
    condition.lock()
    defer { condition.unlock() }
    if isClosed { throw EventStoreError.closed }
    lent += 1
    return idle.popLast()
  }

  private func putBack(_ reader: LogReader?) {
    condition.lock()
    defer { condition.unlock() }
    lent -= 1
    if let reader {
      if idle.count < Self.kept || isClosed {
        idle.append(reader)
      } else {
        reader.connection.close()
      }
    }
    if isClosed { condition.broadcast() }
  }
}
