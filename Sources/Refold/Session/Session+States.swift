import Synchronization

// Watching: only states whose commit is durable are seen, each after `transform(state:)`.
extension Session {
  /// The latest state at once, then the state after each mutation, after `transform(state:)`. A
  /// consumer that is slow skips to the newest. Ends with the session.
  public var states: AsyncStream<R.State> {
    stream(keeping: 1) { latest in
      (latest, { state in state })
    }
  }

  /// A part of the state: the latest value at once, then each that differs from the one before.
  /// A consumer that is slow skips to the newest.
  ///
  ///     for await sections in session.driver(\.sections) { show(sections) }
  ///
  /// It never fails, and ends with the session. It delivers where it is consumed: in a task of the
  /// main actor, for example. For an actor of your own, see `drive(_:on:_:)`.
  public func driver<Value: Equatable & Sendable>(
    _ part: KeyPath<R.State, Value> & Sendable
  ) -> AsyncStream<Value> {
    changes(of: part, replay: true)
  }

  /// A part of the state: each value that differs from the one before, and not the latest at once.
  /// A consumer that is slow skips to the newest.
  public func signal<Value: Equatable & Sendable>(
    _ part: KeyPath<R.State, Value> & Sendable
  ) -> AsyncStream<Value> {
    changes(of: part, replay: false)
  }

  /// The values of a pulse: the present one at once, then one for each time it was assigned, also
  /// of an equal value; what happens to other parts of the state never counts.
  ///
  ///     for await error in session.pulse(\.$error) { show(error) }
  ///
  /// Assignments within one `reduce` are one value. A consumer that falls behind by more than 64
  /// values loses the oldest.
  ///
  /// - Parameter replay: whether the present value comes first.
  public func pulse<Value: Sendable>(
    _ pulse: KeyPath<R.State, Pulse<Value>> & Sendable, replay: Bool = true
  ) -> AsyncStream<Value> {
    stream(keeping: 64) { latest in
      let count = Mutex(latest[keyPath: pulse].count)
      return (
        replay ? latest[keyPath: pulse].wrappedValue : nil,
        { state in
          let pulse = state[keyPath: pulse]
          let isNews = count.withLock { count in
            defer { count = pulse.count }
            return count != pulse.count
          }
          return isNews ? pulse.wrappedValue : nil
        }
      )
    }
  }

  /// Calls `receive` on `actor` with a part of the state: the latest value, then each that differs
  /// from the one before. Where the actor is slow, it skips to the newest.
  ///
  ///     let spinner = session.drive(\.isLoading, on: screen) { screen, isLoading in
  ///       screen.showSpinner(isLoading)
  ///     }
  ///
  /// Swift does not let `receive` call what is marked `@MainActor`; iterate `driver` in a task there.
  ///
  /// - Returns: what ends it; it also ends with the session, or when that is released.
  public func drive<Value: Equatable & Sendable, A: Actor>(
    _ part: KeyPath<R.State, Value> & Sendable, on actor: A,
    _ receive: @escaping @Sendable (isolated A, Value) -> Void
  ) -> Observation {
    let values = driver(part)
    let task = Task { for await value in values { await receive(actor, value) } }
    return Observation { task.cancel() }
  }

  /// Calls `observer` with every state from now on, in order and missing none.
  ///
  /// It is called on the session's writer queue once the state's commit is durable, and holds the
  /// session back until it returns. `currentState` is the new state by then. What it enqueues is
  /// taken up after the step that is being decided, with the action that led to the state as cause.
  ///
  /// - Returns: what ends it; it also ends with the session, or when that is released.
  public func observe(_ observer: @escaping @Sendable (R.State) -> Void) -> Observation {
    let observers = durable
    let token = observers.add(start: { _ in }, observer, end: {})
    return Observation { if let token { observers.remove(token) } }
  }

  private func changes<Value: Equatable & Sendable>(
    of part: KeyPath<R.State, Value> & Sendable, replay: Bool
  ) -> AsyncStream<Value> {
    stream(keeping: 1) { latest in
      let last = Mutex(latest[keyPath: part])
      return (
        replay ? latest[keyPath: part] : nil,
        { state in
          let value = state[keyPath: part]
          let isNews = last.withLock { last in
            defer { last = value }
            return last != value
          }
          return isNews ? value : nil
        }
      )
    }
  }

  /// A stream of what `begin` makes of the latest state, and then of each.
  private func stream<Value: Sendable>(
    keeping count: Int,
    _ begin: @escaping (R.State) -> (Value?, @Sendable (R.State) -> Value?)
  ) -> AsyncStream<Value> {
    let observers = durable
    return AsyncStream(bufferingPolicy: .bufferingNewest(count)) { continuation in
      let select = Mutex<(@Sendable (R.State) -> Value?)?>(nil)
      let token = observers.add { latest in
        let (first, next) = begin(latest)
        select.withLock { $0 = next }
        if let first { continuation.yield(first) }
      } _: { state in
        if let value = select.withLock({ $0 })?(state) { continuation.yield(value) }
      } end: {
        continuation.finish()
      }
      guard let token else { return continuation.finish() }
      continuation.onTermination = { _ in observers.remove(token) }
    }
  }
}

/// Something that watches a session until it is cancelled or released.
public final class Observation: Sendable {
  private let end: @Sendable () -> Void

  init(end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { end() }

  /// Ends it.
  public func cancel() { end() }
}
