import EventStoreCore

/// What a log is at the place where a fork begins: what the fork starts with.
struct SharedPast<R: Reactor> {
  let state: R.State
  /// When the last event was recorded; nil where there is none.
  let recordedAt: Timestamp?
  /// The actions whose effects go on, oldest first.
  private(set) var openEffects: [Seq] = []
  /// The ids of those effects.
  private(set) var ids = EffectIDs()

  /// That of the session `info`, up to and including `seq`.
  ///
  /// - Throws: `SessionError.undecodable` behind the snapshot that the fold begins with;
  ///   `EventStoreError`.
  /// - Complexity: O(n) for n events, of which those before the snapshot are looked at, not folded.
  init(
    _ probe: MutateProbe<R>, _ info: SessionInfo, through seq: Seq, in store: any EventStore,
    _ codec: EventCodec
  ) throws {
    let shelf = SnapshotShelf(probe.reactor, info, in: store)
    var fold = shelf.fold(atOrBefore: seq) ?? shelf.start
    let folded = fold.seq
    var open: Set<Seq> = []
    try store.forEachEvent(of: info.id, through: seq, payloads: .mutations) { header, payload in
      if header.seq > folded { try fold.apply(header, payload) }
      if header.kind == .pending { open.insert(header.cause) }
      if header.kind.endsEffect { open.remove(header.cause) }
    }
    state = fold.state
    recordedAt = fold.recordedAt
    openEffects = open.sorted()
    try noteIDs(probe, shelf, codec)
  }

  /// Asks for each effect again, in the state that its action found.
  private mutating func noteIDs(
    _ probe: MutateProbe<R>, _ shelf: SnapshotShelf<R>, _ codec: EventCodec
  ) throws {
    guard let first = openEffects.first else { return }
    let (info, store) = (shelf.info, shelf.store)
    var (fold, page) = (try shelf.fold(through: first.previous), EventBatch())
    for seq in openEffects {
      try fold.advance(through: seq.previous, of: info.id, in: store)
      try store.read(info.id, after: seq.previous, through: seq, into: &page)
      guard let event = page.headers.indices.first.map({ page[$0] }),
        let action = try? Reading<R>(event, codec).action?.get()
      else { continue }
      ids.note(probe.answer(to: action, at: seq, in: fold.state).cancellableUnder, of: seq)
    }
  }
}
