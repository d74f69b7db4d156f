import EventStoreCore

/// A stream of elements, described and not yet begun: what `mutate` answers with.
///
///     .concat(
///       .just(.setLoading(true)),
///       .task { .setUser(try await api.me()) }.catch { .just(.setError("\($0)")) },
///       .just(.setLoading(false)))
///
/// An effect is a value. Nothing happens until a session begins it. What it gives at once belongs
/// to the first step of its action, and is in one commit with it. What takes time (`task`, `run`,
/// a timer, an async sequence) starts only when that commit is durable, and each later element is
/// committed as it comes. An effect ends by itself, with an error, or cancelled; an error that
/// nobody catches is logged as `failed`, and the session lives on.
///
/// All elements of a session's effects pass its loop one at a time. So the closures of operators
/// see elements in order, never two at once, and must not wait. The work of `task` and `run` is
/// outside: it may wait, and several run side by side.
public struct Effect<Element: Sendable>: Sendable {
  @usableFromInline
  enum Core: Sendable {
    /// Gives one element and ends: the most frequent effect, so it costs no allocation.
    case single(Element)
    /// Gives the elements in order and ends; empty for none.
    case values([Element])
    /// Whatever else. Called on the loop; signals go to the sink on the loop too.
    case stream(@Sendable (EffectScope, @escaping Sink) -> Void)
  }

  @usableFromInline
  typealias Sink = @Sendable (Signal<Element>) -> Void

  @usableFromInline
  let core: Core

  /// The ids under which parts of this effect can be cancelled, also parts that begin later.
  @usableFromInline
  let cancellationIDs: [CancellationID]

  /// Set on the stream that a transform is handed, so that one which gives it back unchanged is
  /// known and costs nothing.
  @usableFromInline
  let subject: ObjectIdentifier?

  @inlinable
  init(core: Core, cancellationIDs: [CancellationID] = [], subject: ObjectIdentifier? = nil) {
    self.core = core
    self.cancellationIDs = cancellationIDs
    self.subject = subject
  }

  init(
    cancellationIDs: [CancellationID] = [],
    stream: @escaping @Sendable (EffectScope, @escaping Sink) -> Void
  ) {
    self.init(core: .stream(stream), cancellationIDs: cancellationIDs)
  }

  /// Begins the effect in `scope`. Must be called on the loop.
  func begin(in scope: EffectScope, _ sink: @escaping Sink) {
    switch core {
    case .single(let element):
      sink(.next(element, cause: scope.cause))
      if !scope.isCancelled { sink(.finished) }
    case .values(let elements):
      for element in elements {
        if scope.isCancelled { return }
        sink(.next(element, cause: scope.cause))
      }
      if !scope.isCancelled { sink(.finished) }
    case .stream(let begin):
      begin(scope, sink)
    }
  }
}

/// What an effect tells whoever listens: any number of elements, then at most one end.
@usableFromInline
enum Signal<Element: Sendable>: Sendable {
  /// An element, and the seq of the action that it comes from (zero: from outside any action).
  case next(Element, cause: Seq)
  /// It ended by itself.
  case finished
  /// It, or a part of it, was cancelled; what was left has ended.
  case cancelled
  /// It ended with an error.
  case failed(any Error)
}

extension Signal {
  /// The same end for a listener of another element type; nil for an element.
  func ending<Other>(as other: Other.Type = Other.self) -> Signal<Other>? {
    switch self {
    case .next: nil
    case .finished: .finished
    case .cancelled: .cancelled
    case .failed(let error): .failed(error)
    }
  }
}
