import EventStoreCore
import Synchronization

/// One begun effect: of an action, or of a transform for as long as the session is open.
///
/// It begins while the step that it belongs to is being decided. Until that step is durable,
/// nothing that reaches the outside world starts: it is collected, and either activated by the
/// commit or discarded when the step has to be decided again.
final class EffectRun: Sendable {
  /// The seq of its action, zero for a transform.
  let cause: Seq
  let loop: any EffectLoop
  private let state = Mutex(State())

  private struct State {
    var phase = Phase.deciding
    var starts: [@Sendable () -> Void] = []
    var undo: [@Sendable () -> Void] = []
    var scope: EffectScope?
    var outcome = EffectOutcome.completed
    var waiters: [CheckedContinuation<EffectOutcome, Never>] = []
  }

  private enum Phase {
    case deciding, live, ended
  }

  init(cause: Seq, loop: any EffectLoop) {
    self.cause = cause
    self.loop = loop
  }

  /// The scope around all of the effect.
  var scope: EffectScope {
    state.withLock { state in
      if let scope = state.scope { return scope }
      let scope = EffectScope(run: self, parent: nil)
      state.scope = scope
      return scope
    }
  }

  /// Runs `body` once the deciding step is durable; at once in a live run. `undo` takes back, when
  /// the step is discarded, what was prepared for it.
  func start(
    _ body: @escaping @Sendable () -> Void, undo: (@Sendable () -> Void)? = nil
  ) {
    let runNow = state.withLock { state in
      guard state.phase == .deciding else { return true }
      state.starts.append(body)
      if let undo { state.undo.append(undo) }
      return false
    }
    if runNow { body() }
  }

  /// The step is durable: starts what was waiting for that.
  func activate() {
    let starts = state.withLock { state in
      if state.phase == .deciding { state.phase = .live }
      defer { (state.starts, state.undo) = ([], []) }
      return state.starts
    }
    for start in starts { start() }
  }

  /// The step is decided again, or never: nothing has happened, nothing will.
  func discard() {
    let undo = state.withLock { state in
      defer { (state.starts, state.undo) = ([], []) }
      return state.undo
    }
    end(.cancelled)
    for body in undo { body() }
  }

  /// Its end is durable: lets go of everything, and tells whoever waits for it.
  func end(_ outcome: EffectOutcome) {
    let waiters = state.withLock { state in
      state.phase = .ended
      state.outcome = outcome
      defer { state.waiters = [] }
      return state.waiters
    }
    scope.cancel()
    for waiter in waiters { waiter.resume(returning: outcome) }
  }

  /// How it ended, when that is durable.
  var outcome: EffectOutcome {
    get async {
      await withCheckedContinuation { continuation in
        let outcome: EffectOutcome? = state.withLock { state in
          if state.phase == .ended { return state.outcome }
          state.waiters.append(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    }
  }
}
