import Synchronization

extension Effect {
  /// Begins again when this effect ends with an error, up to `attempts` times in all.
  ///
  ///     first:    --1--#
  ///     second:        --1--2|
  ///     retry(2): --1----1--2|
  ///
  /// What was given stays given. The error of the last attempt ends the effect; being cancelled is
  /// no error. `retry(3)` is three attempts, as in RxSwift; less than one counts as one.
  public func retry(_ attempts: Int) -> Effect {
    Effect(cancellationIDs: cancellationIDs) { scope, sink in
      Retrying(self, attempts: attempts, scope: scope, sink: sink).attempt()
    }
  }
}

private final class Retrying<Element: Sendable>: Sendable {
  private let effect: Effect<Element>
  private let scope: EffectScope
  private let sink: Effect<Element>.Sink
  private let state: Mutex<State>

  private struct State {
    var attemptsLeft: Int
    var isBeginning = false
    var failedWhileBeginning = false
  }

  init(
    _ effect: Effect<Element>, attempts: Int, scope: EffectScope,
    sink: @escaping Effect<Element>.Sink
  ) {
    self.effect = effect
    self.scope = scope
    self.sink = sink
    state = Mutex(State(attemptsLeft: attempts))
  }

  /// Begins the effect for as long as it fails at once: a loop, so that many attempts do not deepen
  /// the stack.
  func attempt() {
    repeat {
      state.withLock { state in
        state.attemptsLeft -= 1
        (state.isBeginning, state.failedWhileBeginning) = (true, false)
      }
      begin()
    } while !scope.isCancelled && failedWhileBeginning()
  }

  private func begin() {
    let part = scope.child()
    effect.begin(in: part) { [self] signal in
      if case .next = signal { return sink(signal) }
      part.cancel()
      if case .failed = signal, hasAttemptsLeft { failed() } else { sink(signal) }
    }
  }

  private var hasAttemptsLeft: Bool { state.withLock { $0.attemptsLeft > 0 } }

  private func failed() {
    let inside = state.withLock { state in
      if state.isBeginning { state.failedWhileBeginning = true }
      return state.isBeginning
    }
    if !inside { attempt() }
  }

  private func failedWhileBeginning() -> Bool {
    state.withLock { state in
      state.isBeginning = false
      return state.failedWhileBeginning
    }
  }
}
