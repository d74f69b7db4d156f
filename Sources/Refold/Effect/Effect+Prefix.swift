extension Effect {
  /// The first `count` elements, then the end: what comes after is cancelled.
  ///
  ///     source:    --1--2--3--4|
  ///     prefix(2): --1--(2|)
  ///
  /// `prefix(0)` ends at once and begins nothing.
  public func prefix(_ count: Int) -> Effect {
    if count <= 0 { return .empty }
    return Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let inner = scope.child()
      let given = OperatorMemory(0)
      begin(in: inner) { signal in
        guard case .next = signal else {
          inner.cancel()
          return sink(signal)
        }
        let isLast = given.lend { given in
          given += 1
          return given == count
        }
        // First, so that nothing that the element sets off can make it give another.
        if isLast { inner.cancel() }
        sink(signal)
        if isLast, !scope.isCancelled { sink(.finished) }
      }
    }
  }
}
