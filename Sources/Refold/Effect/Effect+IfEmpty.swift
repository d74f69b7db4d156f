extension Effect {
  /// Goes on with `other` when this effect ends by itself without having given anything.
  ///
  ///     source:            ----|
  ///     other:                 --1|
  ///     ifEmpty(switchTo): ------1|
  ///
  /// An error or a cancellation is an end of its own: `other` does not begin.
  public func ifEmpty(switchTo other: Effect) -> Effect {
    Effect(cancellationIDs: cancellationIDs + other.cancellationIDs) { scope, sink in
      let inner = scope.child()
      let alternative = WaitingPart(ids: other.cancellationIDs, in: scope)
      let isEmpty = OperatorMemory(true)
      begin(in: inner) { signal in
        if case .next = signal {
          isEmpty.lend { $0 = false }
          return sink(signal)
        }
        inner.cancel()
        guard case .finished = signal, isEmpty.lend({ $0 }) else { return sink(signal) }
        alternative.begin { part in
          other.begin(in: part) { signal in
            if case .next = signal { return sink(signal) }
            part.cancel()
            sink(signal)
          }
        }
      }
    }
  }
}
