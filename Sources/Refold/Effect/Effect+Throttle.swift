extension Effect {
  /// At most one element in `duration`: the first at once, then the latest of those that came
  /// meanwhile.
  ///
  ///     source:                     -123------4-5-|
  ///     throttle(3):                -1--3-----4--5|
  ///     throttle(3, latest: false): -1--------4---|
  ///
  /// Where an element is waiting, the end comes behind it. An error drops it.
  ///
  /// - Parameter latest: whether the latest element that came too early is given when the time is
  ///   over; else all of those are dropped.
  public func throttle(
    _ duration: Duration, latest: Bool = true, clock: any Clock<Duration> = ContinuousClock()
  ) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      let throttling = Throttling(duration, latest: latest, clock, scope: scope, sink: sink)
      throttling.begin(self)
    }
  }
}

private final class Throttling<Element: Sendable>: Sendable {
  private let duration: Duration
  private let givesLatest: Bool
  private let sink: Effect<Element>.Sink
  private let scope: EffectScope
  private let alarm: Alarm
  private let state = OperatorMemory(State())

  private struct State {
    /// Until when elements come too early.
    var isQuietUntil: Duration?
    var waiting: Signal<Element>?
    var end: Signal<Element>?
  }

  init(
    _ duration: Duration, latest: Bool, _ clock: any Clock<Duration>, scope: EffectScope,
    sink: @escaping Effect<Element>.Sink
  ) {
    self.duration = duration
    givesLatest = latest
    self.sink = sink
    self.scope = scope.child()
    alarm = Alarm(in: self.scope, clock: clock)
  }

  func begin(_ effect: Effect<Element>) {
    let source = scope.child()
    effect.begin(in: source) { [self] signal in
      switch signal {
      case .next: arrived(signal)
      case .finished, .cancelled:
        source.cancel()
        ended(signal)
      case .failed:
        scope.cancel()
        sink(signal)
      }
    }
  }

  private func arrived(_ element: Signal<Element>) {
    let now = alarm.now
    let isQuietUntil = state.lend { state -> Duration? in
      guard let end = state.isQuietUntil, now < end else {
        state.isQuietUntil = now + duration
        state.waiting = nil
        return nil
      }
      if givesLatest { state.waiting = element }
      return end
    }
    guard let isQuietUntil else {
      alarm.clear()
      return sink(element)
    }
    if givesLatest { alarm.set(at: isQuietUntil) { [self] in giveWaiting() } }
  }

  private func giveWaiting() {
    let now = alarm.now
    let (element, end) = state.lend { state in
      state.isQuietUntil = now + duration
      return (state.waiting.take(), state.end)
    }
    if let element { sink(element) }
    if let end, scope.cancel() { sink(end) }
  }

  private func ended(_ end: Signal<Element>) {
    let waits = state.lend { state in
      state.end = end
      return state.waiting != nil
    }
    if !waits, scope.cancel() { sink(end) }
  }
}
