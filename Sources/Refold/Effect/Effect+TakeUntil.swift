extension Effect {
  /// What this effect gives until `other` gives something: then it is cancelled, and ends.
  ///
  ///     source:      --1--2--3--4|
  ///     other:       -------x
  ///     take(until): --1--2-|
  ///
  /// Nothing of `other` is given. It begins first, and is cancelled when this effect ends. If it
  /// ends without having given anything, this effect goes on; its error ends both.
  public func take<Other>(until other: Effect<Other>) -> Effect {
    Effect(cancellationIDs: cancellationIDs + other.cancellationIDs) { scope, sink in
      let both = scope.child()
      let (notifier, source) = (both.child(), both.child())
      other.begin(in: notifier) { signal in
        switch signal {
        case .next:
          both.cancel()
          sink(.finished)
        case .failed(let error):
          both.cancel()
          sink(.failed(error))
        case .finished, .cancelled: notifier.cancel()
        }
      }
      guard !both.isCancelled else { return }
      begin(in: source) { signal in
        if case .next = signal { return sink(signal) }
        both.cancel()
        sink(signal)
      }
    }
  }
}
