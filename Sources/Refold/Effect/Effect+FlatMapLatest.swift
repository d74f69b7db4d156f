import EventStoreCore
import Synchronization

extension Effect {
  /// The effect that `transform` makes of the latest element: a newer one cancels it.
  ///
  ///     source:        --1----2----|
  ///     1:               -a-b-c-d-e|
  ///     2:                    -x-y-|
  ///     flatMapLatest: ---a-b--x-y-|
  ///
  ///     keywords.flatMapLatest { keyword in .task { .setResults(try await api.search(keyword)) } }
  ///
  /// A cancelled effect gives nothing more, whatever is already on its way. It ended as cancelled
  /// (its `do(onCancel:)` is told), but the whole goes on, and being switched away from does not
  /// make the whole a cancelled effect: it ends by itself when this effect and the latest one have,
  /// and as cancelled only where one of these was cancelled from outside, by its id. The first
  /// error ends it. What comes of an element has the element's cause.
  public func flatMapLatest<Other: Sendable>(
    _ transform: @escaping @Sendable (Element) throws -> Effect<Other>
  ) -> Effect<Other> {
    Effect<Other>(cancellationIDs: cancellationIDs) { scope, sink in
      Switching(scope: scope, sink: sink).begin(self, transform)
    }
  }
}

private final class Switching<Element: Sendable>: Sendable {
  private let sink: Effect<Element>.Sink
  /// Around the source and the latest effect.
  private let inner: EffectScope
  private let state = Mutex(State())

  private struct State {
    var latest: EffectScope?
    var sourceGoesOn = true
    var sawCancelled = false
  }

  init(scope: EffectScope, sink: @escaping Effect<Element>.Sink) {
    self.sink = sink
    inner = scope.child()
  }

  func begin<Source: Sendable>(
    _ source: Effect<Source>, _ transform: @escaping @Sendable (Source) throws -> Effect<Element>
  ) {
    let outer = inner.child()
    source.begin(in: outer) { [self] signal in
      switch signal {
      case .next(let element, let cause):
        state.withLock { $0.latest.take() }?.cancel()
        do {
          begin(try transform(element), cause: cause)
        } catch {
          fail(error)
        }
      case .finished: end(of: outer, cancelled: false)
      case .cancelled: end(of: outer, cancelled: true)
      case .failed(let error): fail(error)
      }
    }
  }

  private func begin(_ part: Effect<Element>, cause: Seq) {
    let child = inner.child(cause: cause)
    state.withLock { $0.latest = child }
    part.begin(in: child) { [self] signal in
      switch signal {
      case .next: sink(signal)
      case .finished: end(of: child, cancelled: false)
      case .cancelled: end(of: child, cancelled: true)
      case .failed(let error): fail(error)
      }
    }
  }

  private func fail(_ error: any Error) {
    inner.cancel()
    sink(.failed(error))
  }

  private func end(of part: EffectScope, cancelled: Bool) {
    part.cancel()
    let end: Signal<Element>? = state.withLock { state in
      if state.latest === part { state.latest = nil } else { state.sourceGoesOn = false }
      if cancelled { state.sawCancelled = true }
      if state.sourceGoesOn || state.latest != nil { return nil }
      return state.sawCancelled ? .cancelled : .finished
    }
    guard let end else { return }
    inner.cancel()
    sink(end)
  }
}
