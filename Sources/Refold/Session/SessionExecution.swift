import Dispatch

/// Where a session runs what it does not do on its callers' threads.
///
/// By default queues of its own and the cooperative pool. A test that is to be repeated by a seed puts
/// all of it under one scheduler.
package struct SessionExecution: Sendable {
  /// Takes pieces of work, and runs them one after the other in the order in which they come.
  package typealias SerialQueue = @Sendable (@escaping @Sendable () -> Void) -> Void

  /// A new queue, for a session's commits or for one call that blocks on the store.
  package var queue: @Sendable (_ label: String) -> SerialQueue = { label in
    let queue = DispatchQueue(label: label)
    return { work in queue.async(execute: work) }
  }
  /// Where snapshots are made: one at a time, whatever the number of sessions.
  package var snapshots: SerialQueue = { work in SnapshotQueue.shared.async(execute: work) }
  /// What runs the tasks of effects; nil for the cooperative pool.
  package var tasks: (any TaskExecutor)?

  /// The default.
  package init() {}

  /// Runs `work`, which blocks on I/O, away from the cooperative pool.
  func blocking<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      let run = queue("refold.blocking")
      run { continuation.resume(with: Result { try work() }) }
    }
  }
}

private enum SnapshotQueue {
  static let shared = DispatchQueue(label: "refold.snapshots", qos: .utility)
}
