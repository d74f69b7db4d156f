import EventStoreCore

extension LogReader {
  func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? {
    var newest: Snapshot?
    for segment in try lineage(of: session).segments {
      guard let found = try snapshot(in: segment, atOrBefore: seq, foldID) else { continue }
      // Of two at the same seq the session's own, which comes last.
      if newest.map({ $0.seq <= found.seq }) ?? true { newest = found }
    }
    return newest
  }

  /// The newest one in the name of the segment's session that is as it was saved. One without a seal
  /// could be anything: a fold must not begin with it.
  private func snapshot(
    in segment: Lineage.Segment, atOrBefore seq: Seq, _ foldID: String
  ) throws -> Snapshot? {
    var bound = Int64(min(seq, segment.through).rawValue)
    while bound >= 0 {
      let row = try select.snapshot.first(
        .integer(Int64(segment.session.rawValue)), .text(foldID), .integer(bound)
      ) { row in
        (
          seq: row.integer(0), isSealed: row.sealedDigest(2)?.isSealed ?? false,
          snapshot: self.snapshot(row, of: segment.session)
        )
      }
      guard let row else { return nil }
      if row.isSealed, let snapshot = row.snapshot { return snapshot }
      bound = min(bound, row.seq) - 1
    }
    return nil
  }

  func nextSnapshot(of session: SessionID, after place: SnapshotPlace?) throws -> Snapshot? {
    var next: Snapshot?
    for segment in try lineage(of: session).segments {
      guard let found = try nextSnapshot(in: segment, after: place) else { continue }
      // Of two at the same place the session's own, which comes last.
      if next.map({ $0.place >= found.place }) ?? true { next = found }
    }
    return next
  }

  /// The next one in the name of the segment's session.
  private func nextSnapshot(
    in segment: Lineage.Segment, after place: SnapshotPlace?
  ) throws -> Snapshot? {
    var seq = place.map { Int64($0.seq.rawValue) } ?? -1
    var fold = place.map { Array($0.foldID.utf8) } ?? []
    // Rows that are malformed are passed over.
    while true {
      let row = try select.nextSnapshot.first(
        .integer(Int64(segment.session.rawValue)), .integer(seq), .bytesAsText(fold),
        .integer(Int64(segment.through.rawValue))
      ) {
        (
          seq: $0.integer(0), fold: Array($0.bytes(1)),
          snapshot: self.snapshot($0, of: segment.session)
        )
      }
      // In an index that is damaged the next one may be one before: that would go on for ever.
      guard let row,
        row.seq > seq || (row.seq == seq && fold.lexicographicallyPrecedes(row.fold))
      else { return nil }
      if let snapshot = row.snapshot { return snapshot }
      (seq, fold) = (row.seq, row.fold)
    }
  }

  /// nil for a malformed row and one that was altered: a snapshot is a cache, and one that cannot be
  /// read is none.
  private func snapshot(_ row: Statement, of session: SessionID) -> Snapshot? {
    guard let seq = Seq(exactly: row.integer(0)), let fold = row.text(1),
      let sealed = row.sealedDigest(2), row.isText(3)
    else { return nil }
    let state = Array(row.bytes(3))
    let isWhole = sealed.fits(
      Seal.snapshot(
        of: session, at: seq, fold: Array(fold.utf8).span.bytes, state: state.span.bytes,
        logDigest: sealed.digest))
    guard isWhole else { return nil }
    return Snapshot(seq: seq, foldID: fold, logDigest: sealed.digest, state: state)
  }
}
