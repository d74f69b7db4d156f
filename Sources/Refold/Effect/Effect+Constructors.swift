// What gives its elements at once.
extension Effect {
  /// Gives nothing and ends: `|`.
  @inlinable
  public static var empty: Effect { Effect(core: .values([])) }

  /// Gives `element` and ends: `a|`.
  @inlinable
  public static func just(_ element: Element) -> Effect { Effect(core: .single(element)) }

  /// Gives `elements` in order and ends: `abc|`.
  @inlinable
  public static func of(_ elements: Element...) -> Effect { Effect(core: .values(elements)) }

  /// Gives the elements of `sequence` in order and ends: `abc|`.
  /// - Complexity: O(n) for n elements, all in the first step.
  @inlinable
  public static func from(_ sequence: some Sequence<Element>) -> Effect {
    Effect(core: .values(Array(sequence)))
  }

  /// Ends with `error`: `#`.
  public static func fail(_ error: any Error) -> Effect {
    Effect { _, sink in sink(.failed(error)) }
  }

  /// Gives nothing and does not end until it is cancelled: `-`.
  public static var never: Effect { Effect { _, _ in } }

  /// The effect that `make` answers with, asked when this effect begins.
  public static func deferred(_ make: @escaping @Sendable () throws -> Effect) -> Effect {
    Effect { scope, sink in
      do {
        try make().begin(in: scope, sink)
      } catch {
        sink(.failed(error))
      }
    }
  }
}

// What takes time, and starts only once the action is durable.
extension Effect {
  /// Gives what `work` returns, or ends with what it throws: `--a|`.
  ///
  ///     .task { .setUser(try await api.me()) }
  ///
  /// Cancelling the effect cancels the task. A `CancellationError` is not a failure.
  public static func task(_ work: @escaping @Sendable () async throws -> Element) -> Effect {
    run { send in await send(try await work()) }
  }

  /// Gives whatever `work` sends, until it returns or throws: `--a-b--c|`.
  ///
  ///     .run { send in
  ///       for try await line in connection.lines { await send(.append(line)) }
  ///     }
  ///
  /// Cancelling the effect cancels the task. A `CancellationError` is not a failure. A value sent
  /// after the end is dropped and reported as a mistake.
  public static func run(_ work: @escaping @Sendable (Send<Element>) async throws -> Void)
    -> Effect
  {
    let nothing: @Sendable () -> Void = {}
    return run(from: nothing) { send, _ in try await work(send) }
  }

  /// As `run`, with what `prepare` gives at the moment of the start, before the task is scheduled.
  static func run<Preparation: Sendable>(
    from prepare: @escaping @Sendable () -> Preparation,
    _ work: @escaping @Sendable (Send<Element>, Preparation) async throws -> Void
  ) -> Effect {
    Effect { scope, sink in
      scope.start {
        let preparation = prepare()
        scope.spawn {
          let send = Send(scope: scope, sink: sink)
          let end = await Self.end { try await work(send, preparation) }
          send.close()
          scope.deliver { sink(end) }
        }
      }
    }
  }

  /// Gives the elements of `sequence` as they come: `--a-b--c|`.
  public static func from<Source: AsyncSequence & Sendable>(_ sequence: Source) -> Effect
  where Source.Element == Element {
    run { send in
      for try await element in sequence { await send(element) }
    }
  }

  private static func end(
    of work: @Sendable () async throws -> Void
  ) async -> Signal<Element> {
    do {
      try await work()
      return .finished
    } catch is CancellationError {
      return .cancelled
    } catch {
      return .failed(error)
    }
  }
}

/// What the work of `Effect.run` sends its elements with.
public struct Send<Element: Sendable>: Sendable {
  private let scope: EffectScope
  private let sink: Effect<Element>.Sink
  private let end = Latch()

  init(scope: EffectScope, sink: @escaping Effect<Element>.Sink) {
    self.scope = scope
    self.sink = sink
  }

  /// Sends `element`, and returns when there is room for the next one: a producer that is faster
  /// than the store waits here. Dropped when the effect is cancelled.
  public func callAsFunction(_ element: Element) async {
    if end.isClosed {
      scope.run.loop.report(.sentAfterEnd(cause: scope.cause))
      return
    }
    guard !scope.isCancelled else { return }
    scope.deliver { [scope, sink] in sink(.next(element, cause: scope.cause)) }
    await scope.run.loop.room()
  }

  func close() { end.close() }
}
