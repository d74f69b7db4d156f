import Synchronization

/// Who watches the states of a session, called one state after the other.
final class StateObservers<State: Sendable>: Sendable {
  typealias Observer = @Sendable (State) -> Void

  private let content: Mutex<Content>
  /// How many there are, for `isEmpty`, which every step asks.
  private let count = Atomic(0)

  private struct Content {
    var latest: State
    var observers: [Int: (observer: Observer, end: @Sendable () -> Void)] = [:]
    var next = 0
    var isFinished = false
  }

  init(_ initial: State) { content = Mutex(Content(latest: initial)) }

  /// The latest state that observers were given.
  var latest: State { content.withLock { $0.latest } }

  /// Whether nobody watches.
  var isEmpty: Bool { count.load(ordering: .acquiring) == 0 }

  /// Gives `state` to everybody, in the order in which they came. `latest` is `state` by then.
  func publish(_ state: State) {
    let observers = content.withLock { content in
      content.latest = state
      return content.observers
    }
    if observers.isEmpty { return }
    for token in observers.keys.sorted() { observers[token]?.observer(state) }
  }

  /// Adds an observer of the states after the latest, which `start` is handed.
  ///
  /// - Parameter end: called when no state will follow.
  /// - Returns: a token for `remove`; nil where the session has ended already.
  func add(
    start: (State) -> Void, _ observer: @escaping Observer, end: @escaping @Sendable () -> Void
  ) -> Int? {
    content.withLock { content in
      start(content.latest)
      if content.isFinished { return nil }
      content.next += 1
      content.observers[content.next] = (observer, end)
      count.store(content.observers.count, ordering: .releasing)
      return content.next
    }
  }

  func remove(_ token: Int) {
    content.withLock { content in
      content.observers.removeValue(forKey: token)
      count.store(content.observers.count, ordering: .releasing)
    }
  }

  /// Ends every stream.
  func finish() {
    let observers = content.withLock { content in
      content.isFinished = true
      defer {
        content.observers = [:]
        count.store(0, ordering: .releasing)
      }
      return content.observers
    }
    for token in observers.keys.sorted() { observers[token]?.end() }
  }
}
