import Synchronization

extension Effect {
  /// All effects at once, their elements in the order in which they arrive.
  ///
  ///     a:     --1----2|
  ///     b:     ----3|
  ///     merge: --1-3--2|
  ///
  /// The first error ends it and cancels the others. It ends when all have.
  public static func merge(_ parts: Effect...) -> Effect { merge(parts) }

  /// All effects at once; see `merge(_:)`.
  public static func merge(_ parts: [Effect]) -> Effect {
    if parts.count == 1, let only = parts.first { return only }
    return Effect(cancellationIDs: parts.flatMap(\.cancellationIDs)) { scope, sink in
      Merging(scope: scope, sink: sink).begin(parts)
    }
  }
}

private final class Merging<Element: Sendable>: Sendable {
  private let scope: EffectScope
  private let sink: Effect<Element>.Sink
  private let state = Mutex((open: 1, sawCancelled: false))

  init(scope: EffectScope, sink: @escaping Effect<Element>.Sink) {
    self.scope = scope
    self.sink = sink
  }

  func begin(_ parts: [Effect<Element>]) {
    // Counted as open itself until all have begun, so that parts that end at once do not end it.
    let inner = scope.child()
    for part in parts where !inner.isCancelled {
      state.withLock { $0.open += 1 }
      begin(part, in: inner)
    }
    if !inner.isCancelled { closeOne(inner, cancelled: false) }
  }

  private func begin(_ part: Effect<Element>, in inner: EffectScope) {
    let child = inner.child()
    part.begin(in: child) { [self] signal in
      switch signal {
      case .next: sink(signal)
      case .finished, .cancelled:
        child.cancel()
        let isCancelled = if case .cancelled = signal { true } else { false }
        closeOne(inner, cancelled: isCancelled)
      case .failed:
        inner.cancel()
        sink(signal)
      }
    }
  }

  private func closeOne(_ inner: EffectScope, cancelled: Bool) {
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
