import EventStoreCore

extension SQLiteEventStore {
  /// As `EventStore.snapshot(of:atOrBefore:foldID:)`.
  public func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? {
    try readers.withReader { try $0.snapshot(of: session, atOrBefore: seq, foldID: foldID) }
  }

  /// As `EventStore.nextSnapshot(of:after:)`.
  public func nextSnapshot(
    of session: SessionID, after place: SnapshotPlace?
  ) throws -> Snapshot? {
    try readers.withReader { try $0.nextSnapshot(of: session, after: place) }
  }

  /// As `EventStore.save(_:of:)`.
  public func save(_ snapshot: Snapshot, of session: SessionID) throws {
    try write { try $0.save(snapshot, of: session) }
  }
}

extension Writer {
  /// Keeps `snapshot`. What a statement that fails has done is undone.
  func save(_ snapshot: Snapshot, of session: SessionID) throws {
    try reader.requirePlace(snapshot.seq, try reader.lineage(of: session))
    let session = SQLValue.integer(Int64(session.rawValue))
    try insert.pruneSnapshots.run(session, .text(snapshot.foldID))
    try insert.snapshot.run(
      session, .integer(Int64(snapshot.seq.rawValue)), .text(snapshot.foldID),
      .blob(snapshot.logDigest.bytes), .bytesAsText(snapshot.state))
  }
}
