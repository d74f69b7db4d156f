import EventStoreCore
import Synchronization

/// Parts that run at once, and can be added to while they do; what `merge` and `flatMap` are.
final class Merging<Element: Sendable>: Sendable {
  private let sink: Effect<Element>.Sink
  /// Around all parts.
  private let inner: EffectScope
  // Whoever adds parts counts as open until `close`, so that parts which end at once do not end it.
  private let state = Mutex((open: 1, sawCancelled: false))

  init(scope: EffectScope, sink: @escaping Effect<Element>.Sink) {
    self.sink = sink
    inner = scope.child()
  }

  /// Begins `part`.
  ///
  /// - Parameter cause: that of the element which the part comes from, where there is one.
  func add(_ part: Effect<Element>, cause: Seq? = nil) {
    switch part.core {
    case .single(let element):
      if !inner.isCancelled { sink(.next(element, cause: cause ?? inner.cause)) }
    case .values(let elements):
      for element in elements where !inner.isCancelled {
        sink(.next(element, cause: cause ?? inner.cause))
      }
    case .stream: begin(part, cause: cause)
    }
  }

  /// Begins `source`, and adds the parts that its elements become; closes when it has ended.
  func add<Source: Sendable>(
    from source: Effect<Source>,
    _ transform: @escaping @Sendable (Source) throws -> Effect<Element>
  ) {
    let outer = inner.child()
    source.begin(in: outer) { [self] signal in
      switch signal {
      case .next(let element, let cause):
        do {
          add(try transform(element), cause: cause)
        } catch {
          fail(error)
        }
      case .failed(let error): fail(error)
      case .finished: end(of: outer, cancelled: false)
      case .cancelled: end(of: outer, cancelled: true)
      }
    }
  }

  /// No part will be added any more.
  func close() {
    if !inner.isCancelled { closeOne(cancelled: false) }
  }

  private func begin(_ part: Effect<Element>, cause: Seq?) {
    if inner.isCancelled { return }
    state.withLock { $0.open += 1 }
    let child = inner.child(cause: cause)
    part.begin(in: child) { [self] signal in
      switch signal {
      case .next: sink(signal)
      case .finished: end(of: child, cancelled: false)
      case .cancelled: end(of: child, cancelled: true)
      case .failed(let error): fail(error)
      }
    }
  }

  private func fail(_ error: any Error) {
    inner.cancel()
    sink(.failed(error))
  }

  private func end(of part: EffectScope, cancelled: Bool) {
    part.cancel()
    closeOne(cancelled: cancelled)
  }

  private func closeOne(cancelled: Bool) {
    let state = state.withLock { state in
      state.open -= 1
      if cancelled { state.sawCancelled = true }
      return state
    }
    guard state.open == 0 else { return }
    inner.cancel()
    sink(state.sawCancelled ? .cancelled : .finished)
  }
}
