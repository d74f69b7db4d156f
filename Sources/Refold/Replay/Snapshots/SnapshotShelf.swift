import EventStoreCore

/// The snapshots of a session that a fold may begin with: those that this very code made of the log
/// as it is.
///
/// Nothing depends on them: one that cannot be had or does not fit is passed over, and without any
/// the fold begins at the initial state.
package struct SnapshotShelf<R: Reactor>: Sendable {
  package let reactor: R
  package let info: SessionInfo
  package let store: any EventStore
  /// Under which id the snapshots are kept; nil for none.
  package let foldID: String?
  /// The least events between two of them, but for the last.
  package let leastEvents: Int

  /// The snapshots of the session `info`, folded by `reactor`, whose id `foldID` gives.
  package init(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore,
    foldID: @Sendable (any Reactor) -> String? = { FoldID.of($0) },
    leastEvents: Int = SnapshotPolicy.leastEvents
  ) {
    self.leastEvents = leastEvents
    (self.reactor, self.info, self.store) = (reactor, info, store)
    self.foldID = foldID(reactor)
  }

  /// The fold of the newest snapshot at or before `seq`; nil where there is none.
  ///
  /// - Complexity: O(log n) for n events, and the decoding of a state; so much more for each snapshot
  ///   that is passed over.
  package func fold(atOrBefore seq: Seq) -> Fold<R>? {
    guard let foldID else { return nil }
    var bound = seq
    while bound > .zero {
      guard
        let snapshot = try? store.snapshot(of: info.id, atOrBefore: bound, foldID: foldID)
      else { return nil }
      if let fold = try? fold(of: snapshot) { return fold }
      bound = min(bound, snapshot.seq).previous
    }
    return nil
  }

  /// The fold up to and including `seq`, which is not beyond the log's end.
  ///
  /// - Throws: `SessionError.undecodable`; `EventStoreError`.
  /// - Complexity: O(k) for the k events since the newest snapshot.
  package func fold(through seq: Seq) throws -> Fold<R> {
    var fold = fold(atOrBefore: seq) ?? start
    try fold.advance(through: seq, of: info.id, in: store)
    return fold
  }

  /// The fold at seq 0.
  package var start: Fold<R> { Fold(reactor, session: info.name.rawValue) }

  /// nil where the snapshot is of another log.
  private func fold(of snapshot: Snapshot) throws -> Fold<R>? {
    let seq = snapshot.seq
    guard seq > .zero, try store.digest(of: info.id, at: seq) == snapshot.logDigest else {
      return nil
    }
    var page = EventBatch()
    try store.read(info.id, after: seq.previous, through: seq, into: &page)
    guard let header = page.headers.first, header.seq == seq else { return nil }
    let state = try EventCodec().decode(R.State.self, from: snapshot.state)
    return Fold(
      reactor, session: info.name.rawValue, state: state, seq: seq, recordedAt: header.recordedAt)
  }
}
