extension Effect {
  /// Calls a closure beside what passes, which it does not change: for logs and measurements.
  ///
  ///     source: --1--2|
  ///     do:     --1--2|
  ///
  /// What passes in the first step of an action is told once that step is durable, in order, and
  /// not at all where it is decided again: so each is told once. What comes later is told on its
  /// way, before it is reduced.
  ///
  /// - Parameters:
  ///   - onNext: is told each element.
  ///   - onError: is told the error that this effect ends with.
  ///   - onCompleted: is called when this effect ends by itself.
  ///   - onCancel: is called when it, or a part of it, is cancelled: by id, by the session closing,
  ///     or by an operator around it that needs no more of it.
  public func `do`(
    onNext: (@Sendable (Element) -> Void)? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    onCompleted: (@Sendable () -> Void)? = nil,
    onCancel: (@Sendable () -> Void)? = nil
  ) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let inner = scope.child()
      let end = Latch()
      inner.onCancel {
        if let onCancel, end.close() { scope.run.start(onCancel) }
      }
      begin(in: inner) { signal in
        if case .next(let element, _) = signal {
          if let onNext { scope.run.start { onNext(element) } }
          return sink(signal)
        }
        if end.close() {
          switch signal {
          case .next: break
          case .finished: if let onCompleted { scope.run.start(onCompleted) }
          case .cancelled: if let onCancel { scope.run.start(onCancel) }
          case .failed(let error): if let onError { scope.run.start { onError(error) } }
          }
        }
        inner.cancel()
        sink(signal)
      }
    }
  }
}
