extension Effect {
  /// Goes on with what `handler` answers when this effect ends with an error.
  ///
  ///     source:  --1--#
  ///     handler:      -a|
  ///     catch:   --1---a|
  ///
  /// Without it an error is logged as `failed` and reported; the session lives on.
  public func `catch`(_ handler: @escaping @Sendable (any Error) -> Effect) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let inner = scope.child()
      begin(in: inner) { signal in
        if case .next = signal { return sink(signal) }
        inner.cancel()
        guard case .failed(let error) = signal else { return sink(signal) }
        handler(error).begin(in: scope, sink)
      }
    }
  }
}
