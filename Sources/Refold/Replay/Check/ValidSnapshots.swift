import EventStoreCore

/// The snapshots of a session that were taken of the log as it is, in the order of their places: one
/// that was taken of another past says nothing.
///
/// They come one at a time: a state may be large, and a long session has many snapshots.
package struct ValidSnapshots {
  private let session: SessionID
  private let store: any EventStore
  private var place: SnapshotPlace?

  /// Those of `session` in `store`.
  package init(of session: SessionID, in store: any EventStore) {
    self.session = session
    self.store = store
  }

  /// The next one; nil behind the last.
  /// - Throws: `EventStoreError`.
  package mutating func next() throws -> Snapshot? {
    while let snapshot = try store.nextSnapshot(of: session, after: place) {
      place = snapshot.place
      if try store.digest(of: session, at: snapshot.seq) == snapshot.logDigest { return snapshot }
    }
    return nil
  }
}
