import Synchronization

extension Effect {
  /// Each element, and the end, later by `duration`.
  ///
  ///     source:   --1-2--3|
  ///     delay(2): ----1-2--3|
  ///
  /// An error comes at once, and drops what was waiting. What is given in the first step of an
  /// action waits from when that step is durable.
  public func delay(
    _ duration: Duration, clock: any Clock<Duration> = ContinuousClock()
  ) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      Delaying(duration, clock, scope: scope, sink: sink).begin(self)
    }
  }
}

private final class Delaying<Element: Sendable>: Sendable {
  private let duration: Duration
  private let sink: Effect<Element>.Sink
  private let scope: EffectScope
  private let alarm: Alarm
  private let state = Mutex(State())

  private struct State {
    /// What the alarm is set for.
    var next: Waiting?
    var later = Queue<Waiting>()
  }

  private struct Waiting {
    let due: Duration
    let signal: Signal<Element>
  }

  init(
    _ duration: Duration, _ clock: any Clock<Duration>, scope: EffectScope,
    sink: @escaping Effect<Element>.Sink
  ) {
    self.duration = duration
    self.sink = sink
    self.scope = scope.child()
    alarm = Alarm(in: self.scope, clock: clock)
  }

  func begin(_ effect: Effect<Element>) {
    let source = scope.child()
    effect.begin(in: source) { [self] signal in
      switch signal {
      case .next: wait(with: signal)
      case .finished, .cancelled:
        source.cancel()
        wait(with: signal)
      case .failed:
        scope.cancel()
        sink(signal)
      }
    }
  }

  private func wait(with signal: Signal<Element>) {
    let waiting = Waiting(due: alarm.now + duration, signal: signal)
    let isNext = state.withLock { state in
      if state.next != nil {
        state.later.append(waiting)
        return false
      }
      state.next = waiting
      return true
    }
    if isNext { setAlarm(at: waiting.due) }
  }

  private func setAlarm(at due: Duration) {
    alarm.set(at: due) { [self] in give() }
  }

  /// Gives what is due, and waits for what comes next.
  private func give() {
    let now = alarm.now
    while let signal = takeDue(at: now) {
      if case .next = signal {
        sink(signal)
      } else if scope.cancel() {
        sink(signal)
      }
    }
    if let due = state.withLock({ $0.next?.due }), !scope.isCancelled { setAlarm(at: due) }
  }

  private func takeDue(at now: Duration) -> Signal<Element>? {
    if scope.isCancelled { return nil }
    return state.withLock { state in
      guard let next = state.next, next.due <= now else { return nil }
      state.next = state.later.popFirst()
      return next.signal
    }
  }
}
