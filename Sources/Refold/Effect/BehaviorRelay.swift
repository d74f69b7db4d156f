import Synchronization

/// A value that others watch: a stream that never ends or fails, and replays its present value.
///
/// Merge it in `transform(mutation:)` to log what it tells as mutations from outside any action:
///
///     func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
///       .merge(mutation, users.effect.map { .setUser($0) })
///     }
public final class BehaviorRelay<Element: Sendable>: Sendable {
  private let state: Mutex<State>

  private struct State {
    var value: Element
    var observers: [Int: @Sendable (Element) -> Void] = [:]
    var nextObserver = 0
    var undelivered: [@Sendable () -> Void] = []
    var isDelivering = false
  }

  /// A relay whose first value is `value`.
  public init(_ value: Element) { state = Mutex(State(value: value)) }

  /// The present value.
  public var value: Element { state.withLock { $0.value } }

  /// Makes `value` the present one and tells every observer, also of an equal value. From any
  /// thread; two calls arrive everywhere in the same order.
  public func accept(_ value: Element) {
    let isDeliverer = state.withLock { state in
      state.value = value
      let observers = state.observers.sorted { $0.key < $1.key }.map(\.value)
      state.undelivered.append { for observer in observers { observer(value) } }
      defer { state.isDelivering = true }
      return !state.isDelivering
    }
    if isDeliverer { deliver() }
  }

  /// Tells observers outside the lock, since they may come back to this relay, and one value after
  /// the other, since two threads must not overtake each other on the way to a loop.
  private func deliver() {
    while true {
      let next: (@Sendable () -> Void)? = state.withLock { state in
        guard !state.undelivered.isEmpty else {
          state.isDelivering = false
          return nil
        }
        return state.undelivered.removeFirst()
      }
      guard let next else { return }
      next()
    }
  }

  /// The present value, then every accepted one: `a--b-c-`.
  public var effect: Effect<Element> {
    Effect { [self] scope, sink in
      let (present, token) = observe { value in
        scope.deliver { sink(.next(value, cause: .zero)) }
      }
      scope.onCancel { [self] in forget(token) }
      sink(.next(present, cause: .zero))
    }
  }

  private func observe(
    _ observer: @escaping @Sendable (Element) -> Void
  ) -> (present: Element, token: Int) {
    state.withLock { state in
      state.nextObserver += 1
      state.observers[state.nextObserver] = observer
      return (state.value, state.nextObserver)
    }
  }

  private func forget(_ token: Int) {
    state.withLock { _ = $0.observers.removeValue(forKey: token) }
  }
}
