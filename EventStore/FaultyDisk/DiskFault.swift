import CFaultyVFS
import Foundation

/// Calls that fail.
package struct DiskFault: Sendable, CustomStringConvertible {
  /// What kind of call.
  package enum Call: String, Sendable, CaseIterable {
    case open, read, write, truncate, sync, size, lock, delete, access, map, shmLock
  }

  /// What the system says.
  package enum Reason: String, Sendable, CaseIterable {
    /// EIO. A write is done in half; a sync loses what it was to make durable.
    case inputOutput
    /// ENOSPC, likewise.
    case noSpace
    /// A read ends in the middle, as if the file did.
    case short
  }

  /// The kind of call that fails.
  package var call: Call
  /// Which of them is the first to fail, from 1.
  package var number: Int
  /// Whether those after it fail too.
  package var lasts: Bool
  /// What the system says.
  package var reason: Reason

  /// A fault of these parts.
  package init(_ call: Call, number: Int, lasts: Bool, _ reason: Reason) {
    self.call = call
    self.number = number
    self.lasts = lasts
    self.reason = reason
  }

  package var description: String {
    "\(call.rawValue) \(number)\(lasts ? " and on" : ""): \(reason.rawValue)"
  }

  /// What the system's VFS tells SQLite then (sqlite.org/rescode.html).
  func answer(to call: refold_call) -> refold_answer {
    var answer = refold_answer()
    answer.error = reason == .noSpace ? ENOSPC : EIO
    answer.reads_half = reason == .short
    answer.written = call.kind == REFOLD_WRITE ? call.count / 2 : 0
    answer.code = code
    return answer
  }

  private var code: Int32 {
    let (inputOutput, full, cannotOpen) = (Int32(10), Int32(13), Int32(14))
    return switch call {
    case .open: cannotOpen
    case .read: inputOutput | (reason == .short ? 2 : 1) << 8
    case .write: reason == .noSpace ? full : inputOutput | 3 << 8
    case .sync: inputOutput | 4 << 8
    case .truncate: inputOutput | 6 << 8
    case .size: inputOutput | 7 << 8
    case .lock: inputOutput | 9 << 8
    case .delete: inputOutput | 10 << 8
    case .access: inputOutput | 13 << 8
    case .map: inputOutput | (reason == .noSpace ? 19 : 21) << 8
    case .shmLock: inputOutput | 20 << 8
    }
  }
}

extension DiskFault.Call {
  init?(_ kind: refold_call_kind) {
    switch kind {
    case REFOLD_OPEN: self = .open
    case REFOLD_READ: self = .read
    case REFOLD_WRITE: self = .write
    case REFOLD_TRUNCATE: self = .truncate
    case REFOLD_SYNC: self = .sync
    case REFOLD_SIZE: self = .size
    case REFOLD_LOCK: self = .lock
    case REFOLD_DELETE: self = .delete
    case REFOLD_ACCESS: self = .access
    case REFOLD_MAP: self = .map
    case REFOLD_SHM_LOCK: self = .shmLock
    default: return nil
    }
  }

  /// Whether it changes what is on the disk.
  var isChange: Bool {
    switch self {
    case .open, .write, .truncate, .sync, .delete: true
    case .read, .size, .lock, .access, .map, .shmLock: false
    }
  }
}
