import Dispatch

/// Runs `work`, which blocks on I/O, away from the cooperative pool.
func onBlockingQueue<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
  try await withCheckedThrowingContinuation { continuation in
    DispatchQueue(label: "refold.blocking").async {
      continuation.resume(with: Result { try work() })
    }
  }
}
