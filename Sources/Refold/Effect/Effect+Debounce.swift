extension Effect {
  /// An element once none has followed it for as long as `duration`.
  ///
  ///     source:      --1-2------3|
  ///     debounce(3): -------2----(3|)
  ///
  /// The end comes at once, after the element that was waiting. An error drops it.
  public func debounce(
    _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let both = scope.child()
      let source = both.child()
      let alarm = Alarm(in: both, clock: clock)
      let waiting = OperatorMemory<Signal<Element>?>(nil)
      let give: @Sendable () -> Void = {
        if let element = waiting.lend({ $0.take() }) { sink(element) }
      }
      begin(in: source) { signal in
        switch signal {
        case .next:
          waiting.lend { $0 = signal }
          alarm.set(at: alarm.now + duration, give)
        case .finished, .cancelled:
          both.cancel()
          give()
          if !scope.isCancelled { sink(signal) }
        case .failed:
          both.cancel()
          sink(signal)
        }
      }
    }
  }
}
