import Synchronization

/// Work that is done once for everybody who waits for it. Whoever is cancelled stops waiting at
/// once; the work goes on, for the others and for what it leaves behind.
final class SharedWork<Value: Sendable>: Sendable {
  private typealias Waiter = CheckedContinuation<Value, any Error>

  private struct State {
    var result: Result<Value, any Error>?
    var waiters: [Int: Waiter] = [:]
    var nextID = 0
  }

  private let state = Mutex(State())

  /// Begins `work` in a task of its own.
  init(_ work: @escaping @Sendable () async throws -> Value) {
    Task {
      do {
        finish(.success(try await work()))
      } catch {
        finish(.failure(error))
      }
    }
  }

  /// What the work gave, once it is done.
  ///
  /// - Throws: what the work threw; `CancellationError` for a waiter that was cancelled.
  var value: Value {
    get async throws {
      let id = state.withLock { state in
        state.nextID += 1
        return state.nextID
      }
      return try await withTaskCancellationHandler {
        try await withCheckedThrowingContinuation { wait($0, as: id) }
      } onCancel: {
        cancel(id)
      }
    }
  }

  /// A task counts as cancelled before its handler is called. So a handler that came too early to
  /// find the waiter is no loss: the waiter sees it here.
  private func wait(_ waiter: Waiter, as id: Int) {
    let end = state.withLock { state -> Result<Value, any Error>? in
      if Task.isCancelled { return .failure(CancellationError()) }
      if state.result == nil { state.waiters[id] = waiter }
      return state.result
    }
    if let end { waiter.resume(with: end) }
  }

  private func cancel(_ id: Int) {
    let waiter = state.withLock { $0.waiters.removeValue(forKey: id) }
    waiter?.resume(throwing: CancellationError())
  }

  private func finish(_ result: Result<Value, any Error>) {
    let waiters = state.withLock { state in
      defer { state.waiters = [:] }
      state.result = result
      return state.waiters
    }
    for waiter in waiters.values { waiter.resume(with: result) }
  }
}
