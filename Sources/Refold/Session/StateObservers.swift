import Synchronization

/// Who watches the states of a session.
final class StateObservers<State: Sendable>: Sendable {
  private let state: Mutex<Content>

  private struct Content {
    var latest: State
    var observers: [Int: AsyncStream<State>.Continuation] = [:]
    var next = 0
    var isFinished = false
  }

  init(_ initial: State) { state = Mutex(Content(latest: initial)) }

  /// The latest state that observers were given.
  var latest: State { state.withLock { $0.latest } }

  /// Whether anybody watches.
  var isEmpty: Bool { state.withLock { $0.observers.isEmpty } }

  /// Gives `value` to everybody.
  func publish(_ value: State) {
    state.withLock { content in
      content.latest = value
      for observer in content.observers.values { observer.yield(value) }
    }
  }

  /// The latest state at once, then every change; a slow consumer skips to the newest.
  func stream() -> AsyncStream<State> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let token: Int? = state.withLock { content in
        continuation.yield(content.latest)
        if content.isFinished { return nil }
        content.next += 1
        content.observers[content.next] = continuation
        return content.next
      }
      guard let token else { return continuation.finish() }
      continuation.onTermination = { [self] _ in
        state.withLock { _ = $0.observers.removeValue(forKey: token) }
      }
    }
  }

  /// Ends every stream.
  func finish() {
    let observers = state.withLock { content in
      content.isFinished = true
      defer { content.observers = [:] }
      return content.observers
    }
    for observer in observers.values { observer.finish() }
  }
}
