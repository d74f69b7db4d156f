import Synchronization

/// What the relays are: a memory, and those who are told of each value.
final class Relay<Element: Sendable, Memory: Sendable>: Sendable {
  private let state: Mutex<State>
  private let remember: @Sendable (inout Memory, Element) -> Void
  private let replay: @Sendable (Memory) -> [Element]

  private struct State {
    var memory: Memory
    /// In the order in which they came.
    var observers: [(token: Int, tell: @Sendable (Element) -> Void)] = []
    var nextToken = 0
    var undelivered = Queue<Delivery>()
    var isDelivering = false
  }

  private struct Delivery {
    let element: Element
    let observers: [(token: Int, tell: @Sendable (Element) -> Void)]
  }

  /// - Parameters:
  ///   - remember: notes an element in the memory; called under the lock.
  ///   - replay: what the memory gives to whoever begins to listen; called under the lock.
  init(
    _ memory: Memory, remember: @escaping @Sendable (inout Memory, Element) -> Void,
    replay: @escaping @Sendable (Memory) -> [Element]
  ) {
    state = Mutex(State(memory: memory))
    self.remember = remember
    self.replay = replay
  }

  var memory: Memory { state.withLock { $0.memory } }

  func accept(_ element: Element) {
    let isDeliverer = state.withLock { state in
      remember(&state.memory, element)
      if state.observers.isEmpty, !state.isDelivering { return false }
      state.undelivered.append(Delivery(element: element, observers: state.observers))
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    if isDeliverer { deliver() }
  }

  /// Tells observers outside the lock, since they may come back to this relay, and one value after
  /// the other, since two threads must not overtake each other on the way to a loop.
  private func deliver() {
    while let next = nextDelivery() {
      for observer in next.observers { observer.tell(next.element) }
    }
  }

  private func nextDelivery() -> Delivery? {
    state.withLock { state in
      let next = state.undelivered.popFirst()
      if next == nil { state.isDelivering = false }
      return next
    }
  }

  var effect: Effect<Element> {
    Effect { [self] scope, sink in
      let (replayed, token) = observe { element in
        scope.deliver { sink(.next(element, cause: .zero)) }
      }
      scope.onCancel { [self] in forget(token) }
      for element in replayed where !scope.isCancelled { sink(.next(element, cause: .zero)) }
    }
  }

  private func observe(
    _ tell: @escaping @Sendable (Element) -> Void
  ) -> (replayed: [Element], token: Int) {
    state.withLock { state in
      state.nextToken += 1
      state.observers.append((state.nextToken, tell))
      return (replay(state.memory), state.nextToken)
    }
  }

  private func forget(_ token: Int) {
    state.withLock { state in state.observers.removeAll { $0.token == token } }
  }
}
