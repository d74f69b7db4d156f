import EventStoreCore
import Synchronization

/// A transform of the reactor, begun for as long as the session is open: elements are pushed in on
/// the loop, and what comes out goes to the loop's outbox.
final class Pipeline<Element: Sendable>: Sendable {
  private let run: EffectRun
  private let state = Mutex(State())

  private struct State {
    /// What listens, in the order in which it began to: a transform may use its stream more than
    /// once.
    var sinks: [(token: Int, sink: Effect<Element>.Sink)] = []
    var nextToken = 0
    var isBroken = false
    /// The cause of the element that is being pushed.
    var cause = Seq.zero
  }

  /// The stream that the transform is handed.
  private var subject: Effect<Element> {
    Effect(
      core: .stream { [self] scope, sink in
        let token = state.withLock { state in
          state.nextToken += 1
          state.sinks.append((state.nextToken, sink))
          return state.nextToken
        }
        scope.onCancel { [self] in
          state.withLock { state in state.sinks.removeAll { $0.token == token } }
        }
      },
      subject: ObjectIdentifier(self))
  }

  /// A pipeline for `transform`, or nil where it gives its stream back unchanged.
  ///
  /// - Parameters:
  ///   - isStill: whether nothing in it that takes time may start.
  ///   - output: gets what comes out, with its cause.
  ///   - failed: is told when the transform's stream ends with an error, and the cause of the
  ///     element that led to it, zero where none did.
  init?(
    loop: any EffectLoop, isStill: Bool = false,
    transform: (Effect<Element>) -> Effect<Element>,
    output: @escaping @Sendable (Element, Seq) -> Void,
    failed: @escaping @Sendable (any Error, Seq) -> Void
  ) {
    run = EffectRun(cause: .zero, loop: loop)
    let transformed = transform(subject)
    if transformed.subject == ObjectIdentifier(self) { return nil }
    if isStill { run.keepStill() } else { run.activate() }
    transformed.begin(in: run.scope) { [weak self] signal in
      switch signal {
      case .next(let element, let cause): output(element, cause)
      case .finished, .cancelled: self?.end()
      case .failed(let error):
        self?.end()
        failed(error, self?.state.withLock { $0.cause } ?? .zero)
      }
    }
  }

  /// Pushes `element` in. Once the transform has ended, elements pass unchanged.
  /// - Returns: false where it has ended, so that the caller takes the element as it is.
  func push(_ element: Element, cause: Seq) -> Bool {
    let (sinks, isBroken) = state.withLock { state in
      state.cause = cause
      return (state.sinks, state.isBroken)
    }
    if isBroken { return false }
    for (_, sink) in sinks { sink(.next(element, cause: cause)) }
    state.withLock { $0.cause = .zero }
    return true
  }

  /// Ends it with the session.
  func close() { run.end(.cancelled) }

  private func end() {
    state.withLock { $0.isBroken = true }
    run.end(.completed)
  }
}
