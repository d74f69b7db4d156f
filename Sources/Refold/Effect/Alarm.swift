import Synchronization

/// Rings on the loop at a moment that can be moved: what `debounce`, `delay`, `throttle` and
/// `timeout` wait with.
///
/// Moments are durations since the step of the effect became durable; until then time stands at
/// zero and no task runs. One task sleeps at a time, and where the moment has moved back meanwhile
/// it sleeps again, so that a stream of elements that each move it costs no task an element.
final class Alarm: Sendable {
  private let scope: EffectScope
  private let state = Mutex(State())

  private struct State {
    var elapsed: ElapsedClock?
    var setting: Setting?
    var sleep: Sleep?
    var settings = 0
  }

  private struct Setting {
    let number: Int
    let moment: Duration
    let ring: @Sendable () -> Void
  }

  private struct Sleep {
    let scope: EffectScope
    var until: Duration
  }

  /// An alarm that is silent once `scope` has ended or is cancelled.
  init(in scope: EffectScope, clock: any Clock<Duration>) {
    self.scope = scope
    scope.onCancel { [weak self] in self?.clear() }
    scope.start { [self] in
      state.withLock { $0.elapsed = ElapsedClock(clock) }
      sleepIfNeeded()
    }
  }

  /// The time since the start, zero before it.
  var now: Duration { state.withLock { $0.elapsed?.now } ?? .zero }

  /// Calls `ring` on the loop at `moment`, instead of what was set before.
  func set(at moment: Duration, _ ring: @escaping @Sendable () -> Void) {
    state.withLock { state in
      state.settings += 1
      state.setting = Setting(number: state.settings, moment: moment, ring: ring)
    }
    if scope.isCancelled { return clear() }
    sleepIfNeeded()
  }

  /// Unsets it.
  func clear() { state.withLock { $0.setting = nil } }

  private func sleepIfNeeded() {
    var superseded: EffectScope?
    let sleep: (elapsed: ElapsedClock, scope: EffectScope)? = state.withLock { state in
      guard let elapsed = state.elapsed, let moment = state.setting?.moment else { return nil }
      // A sleep that ends earlier looks again when it does.
      if let sleep = state.sleep, sleep.until <= moment { return nil }
      superseded = state.sleep?.scope
      let sleep = Sleep(scope: scope.child(), until: moment)
      state.sleep = sleep
      return (elapsed, sleep.scope)
    }
    superseded?.cancel()
    guard let sleep else { return }
    sleep.scope.spawn { [self] in
      while let moment = nextWake(of: sleep.scope) {
        guard (try? await sleep.elapsed.sleep(until: moment)) != nil else { break }
        ringIfDue(moment, sleep.scope)
      }
      sleep.scope.cancel()
    }
  }

  /// Until when the task of `sleeper` sleeps; nil where it is not needed any more.
  private func nextWake(of sleeper: EffectScope) -> Duration? {
    state.withLock { state in
      guard state.sleep?.scope === sleeper else { return nil }
      guard let moment = state.setting?.moment else {
        state.sleep = nil
        return nil
      }
      state.sleep?.until = moment
      return moment
    }
  }

  private func ringIfDue(_ moment: Duration, _ sleeper: EffectScope) {
    let number: Int? = state.withLock { state in
      guard state.sleep?.scope === sleeper, let setting = state.setting, setting.moment <= moment
      else { return nil }
      state.sleep = nil
      return setting.number
    }
    guard let number else { return }
    scope.deliver { [self] in
      let ring = state.withLock { state -> (@Sendable () -> Void)? in
        guard state.setting?.number == number else { return nil }
        return state.setting.take()?.ring
      }
      ring?()
    }
  }
}

/// A clock whose times are durations since a moment, so that its instants need no name.
struct ElapsedClock: Sendable {
  private let elapsed: @Sendable () -> Duration
  private let wait: @Sendable (Duration) async throws -> Void

  /// Time since now, as `clock` has it.
  init(_ clock: any Clock<Duration>) { self.init(of: clock) }

  private init<C: Clock>(of clock: C) where C.Duration == Duration {
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
    wait = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
  }

  var now: Duration { elapsed() }

  /// Returns at `moment`; at once where it has passed.
  func sleep(until moment: Duration) async throws { try await wait(moment) }
}
