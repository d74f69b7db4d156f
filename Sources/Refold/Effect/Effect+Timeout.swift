/// No element came in time; what `Effect.timeout` fails with.
public struct EffectTimeout: Error, Hashable, Sendable, CustomStringConvertible {
  /// How long was waited for an element.
  public let duration: Duration

  /// As `timeout` gives it.
  public init(after duration: Duration) { self.duration = duration }

  /// What was waited for, and how long.
  public var description: String { "no element came within \(duration)" }
}

extension Effect {
  /// Fails with `EffectTimeout` when no element, nor the end, comes for as long as `duration`.
  ///
  ///     source:     --1--2-------3|
  ///     timeout(4): --1--2---#
  ///
  /// Time counts from when the action is durable, and from each element anew. The timeout cancels
  /// what runs; `catch` can answer it with another effect. What gives everything at once never
  /// times out.
  public func timeout(
    _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let both = scope.child()
      let alarm = Alarm(in: both, clock: clock)
      let hasBegun = OperatorMemory(false)
      let wait: @Sendable () -> Void = {
        alarm.set(at: alarm.now + duration) {
          both.cancel()
          sink(.failed(EffectTimeout(after: duration)))
        }
      }
      begin(in: both.child()) { signal in
        if case .next = signal {
          sink(signal)
          // Nothing waits for what comes at once, so it needs no task.
          if hasBegun.lend({ $0 }) { wait() }
        } else {
          both.cancel()
          sink(signal)
        }
      }
      hasBegun.lend { $0 = true }
      if !both.isCancelled { wait() }
    }
  }
}
