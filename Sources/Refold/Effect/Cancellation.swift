import Synchronization

/// A typed name under which parts of effects can be cancelled: two ids are equal when their types
/// and values are. Ids belong to one session.
@usableFromInline
struct CancellationID: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.type = ObjectIdentifier(Swift.type(of: value))
    self.value = value
  }

  @usableFromInline
  static func == (left: CancellationID, right: CancellationID) -> Bool {
    left.type == right.type && AnyHashable(left.value) == AnyHashable(right.value)
  }

  @usableFromInline
  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    value.hash(into: &hasher)
  }
}

/// The parts of a session's running effects that can be cancelled by id.
final class CancellationRegistry: Sendable {
  private let state = Mutex(State())
  /// Told of each id that is cancelled, whether anything runs under it or not.
  private let cancelled: (@Sendable (CancellationID) -> Void)?

  init(cancelled: (@Sendable (CancellationID) -> Void)? = nil) { self.cancelled = cancelled }

  private struct State {
    var next = 0
    /// By id, and by the order in which they were added.
    var entries: [CancellationID: [Int: Registration]] = [:]
  }

  /// A part that can be cancelled, running or still to begin.
  final class Registration: Sendable {
    let id: CancellationID
    let scope: EffectScope
    let hasBegun: Bool
    let cancel: @Sendable () -> Void

    init(
      id: CancellationID, scope: EffectScope, hasBegun: Bool,
      cancel: @escaping @Sendable () -> Void
    ) {
      self.id = id
      self.scope = scope
      self.hasBegun = hasBegun
      self.cancel = cancel
    }
  }

  /// - Returns: what takes the part out again. Complexity of both: O(1).
  func add(_ registration: Registration) -> @Sendable () -> Void {
    let number = state.withLock { state in
      state.next += 1
      state.entries[registration.id, default: [:]][state.next] = registration
      return state.next
    }
    return { [self] in remove(registration.id, number) }
  }

  private func remove(_ id: CancellationID, _ number: Int) {
    state.withLock { state in
      state.entries[id]?[number] = nil
      if state.entries[id]?.isEmpty == true { state.entries[id] = nil }
    }
  }

  /// The ids under which parts of `run` stand now.
  func ids(of run: EffectRun) -> Set<CancellationID> {
    state.withLock { state in
      Set(state.entries.filter { $0.value.values.contains { $0.scope.run === run } }.keys)
    }
  }

  /// Cancels what stands under `id` now, in the name of `run`: acts once the step that `run` is
  /// deciding is durable, and holds back the values of what is being cancelled until then. Parts
  /// of `run` itself that have not begun come after the cancellation, so they stay.
  func cancel(_ id: CancellationID, for run: EffectRun) {
    cancelled?(id)
    let targets = state.withLock { state in
      (state.entries[id] ?? [:]).sorted { $0.key < $1.key }.map(\.value)
        .filter { $0.hasBegun || $0.scope.run !== run }
    }
    guard !targets.isEmpty else { return }
    for target in targets { target.scope.hold() }
    run.start {
      for target in targets {
        target.cancel()
        target.scope.release()
      }
    } undo: {
      for target in targets { target.scope.release() }
    }
  }
}

extension Effect {
  /// Makes this effect cancellable under `id` for as long as it runs, also before it has begun
  /// where it is a later part of a `concat`.
  ///
  ///     fetch(keyword).cancellable(id: CancelID.search, cancelInFlight: true)
  ///
  /// Cancelled, it gives nothing more, whatever is already on its way, and its action's effect is
  /// logged as `cancelled` once the other parts have ended.
  ///
  /// - Parameters:
  ///   - id: a typed id, of this session only.
  ///   - cancelInFlight: whether beginning this effect cancels what runs under `id`.
  public func cancellable(
    id: some Hashable & Sendable, cancelInFlight: Bool = false
  ) -> Effect {
    let id = CancellationID(id)
    return Effect(cancellationIDs: cancellationIDs + [id]) { scope, sink in
      if cancelInFlight { scope.run.loop.cancellations.cancel(id, for: scope.run) }
      if scope.wasCancelledBeforeBegin(id) { return sink(.cancelled) }
      let part = scope.child()
      let registration = CancellationRegistry.Registration(id: id, scope: part, hasBegun: true) {
        guard part.cancel() else { return }
        // A live effect may cancel one whose first step is not durable yet: what that gives because of it
        // comes behind the step, or not at all where the step is decided again.
        scope.start { scope.deliver { sink(.cancelled) } }
      }
      part.onCancel(scope.run.loop.cancellations.add(registration))
      begin(in: part) { signal in
        if case .next = signal { return sink(signal) }
        part.cancel()
        sink(signal)
      }
    }
  }

  /// Cancels every effect of this session that runs under `id`, and ends.
  ///
  /// It acts once the action that asks for it is durable.
  public static func cancel(id: some Hashable & Sendable) -> Effect {
    let id = CancellationID(id)
    return Effect { scope, sink in
      scope.run.loop.cancellations.cancel(id, for: scope.run)
      sink(.finished)
    }
  }
}
