import EventStoreCore

/// The old log as a `WhatIfRun` goes through it: its state, and which of its effects cancelled which,
/// as today's code tells it. The log itself says that an effect was cancelled, but not by what.
struct RecordedCourse<R: Reactor> {
  /// The action that was gone through last, and what it leads to in the old log's state; nil where
  /// today's types cannot read it.
  private(set) var answer: MutateProbe<R>.Answer?
  /// The effects that the last action cancels in the old log, by their actions' seqs.
  private(set) var targets: Set<Seq> = []
  private(set) var ids = EffectIDs()
  private var state: R.State

  /// A course that begins in `state`, with effects that run under `ids`.
  init(_ state: R.State, _ ids: EffectIDs) {
    self.state = state
    self.ids = ids
  }

  /// Goes on by an action.
  mutating func take(_ action: R.Action?, at seq: Seq, _ probe: MutateProbe<R>) {
    answer = action.map { probe.answer(to: $0, at: seq, in: state) }
    targets = []
    guard let answer, !answer.lacksSecret else { return }
    targets = ids.effects(under: answer.cancels)
    ids.note(answer.cancellableUnder, of: seq)
  }

  /// Goes on by a mutation.
  mutating func take(_ mutation: R.Mutation, _ reactor: R) {
    reactor.reduce(state: &state, mutation: mutation)
  }

  /// The effect of the action `cause` has ended.
  mutating func end(_ cause: Seq) { ids.end(cause) }
}

/// The ids under which effects run. An effect is taken to stand under its ids as long as it goes on,
/// since a log does not tell when a part of one ends.
struct EffectIDs {
  private var ids: [Seq: Set<CancellationID>] = [:]

  /// Notes under which ids the effect of the action `cause` can be cancelled.
  mutating func note(_ new: Set<CancellationID>, of cause: Seq) {
    if !new.isEmpty { ids[cause] = new }
  }

  /// The effect of the action `cause` has ended.
  mutating func end(_ cause: Seq) { ids[cause] = nil }

  /// The effects that stand under one of `cancelled`.
  /// - Complexity: O(n) in the effects that stand under ids.
  func effects(under cancelled: Set<CancellationID>) -> Set<Seq> {
    if cancelled.isEmpty { return [] }
    return Set(ids.filter { !$0.value.isDisjoint(with: cancelled) }.keys)
  }
}

/// An event's payload as today's types read it; both nil for an event that is neither.
struct Reading<R: Reactor> {
  private(set) var action: Result<R.Action, any Error>?
  private(set) var mutation: Result<R.Mutation, any Error>?

  /// Reads `event`.
  init(_ event: Event, _ codec: EventCodec) {
    switch event.header.kind {
    case .action: action = Result { try codec.decodeAction(R.Action.self, from: event.payload) }
    case .mutation: mutation = Result { try codec.decode(R.Mutation.self, from: event.payload) }
    case .pending, .completed, .cancelled, .failed: break
    }
  }
}

/// What the new log's actions do to effects otherwise than the old one's, until it can be told.
struct CancellationChanges {
  /// The effects that the new log cancels and the old one did not, by what, and whether anything that
  /// they gave is left out.
  private var early: [Seq: (canceller: Seq, hasLost: Bool)] = [:]
  /// The effects whose cancellers are not in the new log, or cancel no more, with those.
  private var orphans: [Seq: Seq] = [:]

  /// The new log cancels the effect of `effect` by `canceller`.
  mutating func cancel(_ effect: Seq, by canceller: Seq) {
    early[effect] = (canceller, false)
    orphans[effect] = nil
  }

  /// A mutation of the effect is left out.
  mutating func lose(_ effect: Seq) { early[effect]?.hasLost = true }

  /// What cancelled the effect does not any more.
  mutating func orphan(_ effect: Seq, of canceller: Seq) {
    if orphans[effect] == nil { orphans[effect] = canceller }
  }

  /// Something cancels the effect in both logs.
  mutating func keep(_ effect: Seq) { orphans[effect] = nil }

  /// The old log's effect ends by `kind`: what is to be told of that, if anything.
  mutating func end(_ effect: Seq, by kind: EventKind) -> WhatIf.Difference.Kind? {
    if let early = early.removeValue(forKey: effect) {
      if kind == .cancelled, !early.hasLost { return nil }
      return .effectCancelled(by: early.canceller, was: kind)
    }
    guard let canceller = orphans.removeValue(forKey: effect), kind == .cancelled else {
      return nil
    }
    return .cancellerGone(cause: canceller)
  }

  /// The effects that the old log did not end by then, with what is to be told of them.
  mutating func rest() -> [(effect: Seq, kind: WhatIf.Difference.Kind)] {
    defer { early = [:] }
    return early.sorted { $0.key < $1.key }
      .map { ($0.key, .effectCancelled(by: $0.value.canceller, was: nil)) }
  }
}
