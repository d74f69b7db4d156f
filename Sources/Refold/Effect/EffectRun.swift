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
    case deciding
    case live
    /// It gives what it gives at once, and nothing that takes time ever starts.
    case still
    case ended
    /// Its step is decided again, or never: what it asked to start does not.
    case discarded
  }

  init(cause: Seq, loop: any EffectLoop) {
    self.cause = cause
    self.loop = loop
  }

  /// The scope around all of the effect; a cancelled one once it has ended.
  var scope: EffectScope {
    let (scope, isOver) = state.withLock { state in
      let scope = state.scope ?? EffectScope(run: self, cause: cause, parent: nil)
      let isOver = state.phase == .ended || state.phase == .discarded
      // Kept no longer than the effect runs: scopes refer to their run.
      state.scope = isOver ? nil : scope
      return (scope, isOver)
    }
    if isOver { scope.cancel() }
    return scope
  }

  /// Runs `body` once the deciding step is durable, in the order of the calls; at once in a live
  /// run. `undo` takes back, when the step is discarded, what was prepared for it.
  func start(
    _ body: @escaping @Sendable () -> Void, undo: (@Sendable () -> Void)? = nil
  ) {
    let runNow = state.withLock { state in
      switch state.phase {
      case .deciding:
        state.starts.append(body)
        if let undo { state.undo.append(undo) }
        return false
      case .live, .ended: return true
      case .still, .discarded: return false
      }
    }
    if runNow { body() }
  }

  /// The step is durable: starts what was waiting for that. What asks to start meanwhile, on the
  /// loop, comes behind it, so the run counts as live only when nothing waits any more.
  func activate() {
    while true {
      let starts = state.withLock { state in
        if state.starts.isEmpty, state.phase == .deciding { state.phase = .live }
        defer { (state.starts, state.undo) = ([], []) }
        return state.starts
      }
      if starts.isEmpty { return }
      for start in starts { start() }
    }
  }

  /// Keeps whatever takes time from ever starting. To be called before anything asks to start.
  func keepStill() { state.withLock { $0.phase = .still } }

  /// The step is decided again, or never: nothing has happened, nothing will.
  func discard() {
    let undo = state.withLock { state in
      defer { (state.starts, state.undo) = ([], []) }
      return state.undo
    }
    end(.cancelled, as: .discarded)
    for body in undo { body() }
  }

  /// Its end is durable: lets go of everything, and tells whoever waits for it.
  func end(_ outcome: EffectOutcome) { end(outcome, as: .ended) }

  private func end(_ outcome: EffectOutcome, as phase: Phase) {
    let waiters = state.withLock { state in
      state.phase = phase
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
          if state.phase == .ended || state.phase == .discarded { return state.outcome }
          state.waiters.append(continuation)
          return nil
        }
        if let outcome { continuation.resume(returning: outcome) }
      }
    }
  }
}
