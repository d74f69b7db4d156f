import EventStoreCore

/// Snapshots that are not what the code which made them folds the log to.
package enum AlteredSnapshots {
  /// The seqs of those snapshots of the session `info` that this very code made and that have another
  /// state than it folds the log to: somebody altered them, or `reduce` is no pure function.
  ///
  /// - Parameter foldID: that of `reactor`.
  /// - Throws: `SessionError.undecodable`; `EventStoreError`.
  /// - Complexity: O(n) in the events up to the newest of them, in the memory of two states.
  package static func seqs<R: Reactor>(
    of info: SessionInfo, in store: any EventStore, by reactor: R, foldID: String
  ) throws -> [Seq] {
    var snapshots = ValidSnapshots(of: info.id, in: store)
    var fold = Fold(reactor, session: info.name.rawValue)
    let codec = EventCodec()
    var seqs: [Seq] = []
    while let snapshot = try snapshots.next() {
      guard snapshot.foldID.utf8.elementsEqual(foldID.utf8) else { continue }
      try fold.advance(through: snapshot.seq, of: info.id, in: store)
      if try codec.encode(fold.state) != snapshot.state { seqs.append(snapshot.seq) }
    }
    return seqs
  }
}
