import Synchronization

/// A typed name under which parts of effects can be cancelled: two ids are equal when their types
/// and values are. Ids belong to one session.
struct CancellationID: Hashable, Sendable {
  private let type: ObjectIdentifier
  private let value: any Hashable & Sendable

  init(_ value: some Hashable & Sendable) {
    self.type = ObjectIdentifier(Swift.type(of: value))
    self.value = value
  }

  static func == (left: CancellationID, right: CancellationID) -> Bool {
    left.type == right.type && AnyHashable(left.value) == AnyHashable(right.value)
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    value.hash(into: &hasher)
  }
}

/// The parts of a session's running effects that can be cancelled by id.
final class CancellationRegistry: Sendable {
  private let entries = Mutex<[CancellationID: [Registration]]>([:])

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

  func add(_ registration: Registration) {
    entries.withLock { $0[registration.id, default: []].append(registration) }
  }

  func remove(_ registration: Registration) {
    entries.withLock { entries in
      entries[registration.id]?.removeAll { $0 === registration }
      if entries[registration.id]?.isEmpty == true { entries[registration.id] = nil }
    }
  }

  /// Cancels what stands under `id` now, in the name of `run`: acts once the step that `run` is
  /// deciding is durable, and holds back the values of what is being cancelled until then. Parts
  /// of `run` itself that have not begun come after the cancellation, so they stay.
  func cancel(_ id: CancellationID, for run: EffectRun) {
    let targets = entries.withLock { entries in
      (entries[id] ?? []).filter { $0.hasBegun || $0.scope.run !== run }
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
        if part.cancel() { scope.deliver { sink(.cancelled) } }
      }
      let registry = scope.run.loop.cancellations
      registry.add(registration)
      part.onCancel { registry.remove(registration) }
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
