extension Effect where Element == Int {
  /// Counts from 0: once after `delay`, then, if it is `every` so often, until it is cancelled.
  ///
  ///     timer(after: 2):           --(0|)
  ///     timer(after: 2, every: 3): --0--1--2--3…
  ///
  ///     Effect.timer(after: .seconds(1), every: .seconds(1)).map { _ in .tick }
  ///
  /// Time counts from when the action is durable. Ticks keep to their times, however long each
  /// takes to be dealt with; those missed altogether, by a sleeping machine, are not made up for.
  ///
  /// - Parameter period: more than zero.
  public static func timer(
    after delay: Duration, every period: Duration? = nil,
    clock: any Clock<Duration> = ContinuousClock()
  ) -> Effect {
    precondition(period ?? .seconds(1) > .zero, "a timer's period is more than zero")
    let start: @Sendable () -> ElapsedClock = { ElapsedClock(clock) }
    return run(from: start) { send, elapsed in
      try await elapsed.sleep(until: delay)
      await send(0)
      guard let period else { return }
      var (tick, due) = (0, delay)
      while true {
        due += period
        let late = elapsed.now - due
        if late > .zero { due += period * Int((late / period).rounded(.up)) }
        try await elapsed.sleep(until: due)
        tick += 1
        await send(tick)
      }
    }
  }
}
