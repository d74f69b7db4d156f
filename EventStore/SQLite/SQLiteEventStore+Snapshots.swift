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
    let number = SQLValue.integer(Int64(session.rawValue))
    let sealed = Seal.snapshot(
      of: session, at: snapshot.seq, fold: Array(snapshot.foldID.utf8).span.bytes,
      state: snapshot.state.span.bytes, logDigest: snapshot.logDigest)
    try insert.pruneSnapshots.run(number, .text(snapshot.foldID))
    try insert.snapshot.run(
      number, .integer(Int64(snapshot.seq.rawValue)), .text(snapshot.foldID), .blob(sealed),
      .bytesAsText(snapshot.state))
  }
}
