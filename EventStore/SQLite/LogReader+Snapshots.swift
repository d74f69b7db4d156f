import EventStoreCore

extension LogReader {
  func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? {
    var newest: Snapshot?
    for segment in try lineage(of: session).segments {
      let found = try select.snapshot.first(
        .integer(Int64(segment.session.rawValue)), .text(foldID),
        .integer(Int64(min(seq, segment.through).rawValue))
      ) { self.snapshot($0) }
      guard let found = found ?? nil else { continue }
      // Of two at the same seq the session's own, which comes last.
      if newest.map({ $0.seq <= found.seq }) ?? true { newest = found }
    }
    return newest
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
      ) { (seq: $0.integer(0), fold: Array($0.bytes(1)), snapshot: self.snapshot($0)) }
      guard let row else { return nil }
      if let snapshot = row.snapshot { return snapshot }
      (seq, fold) = (row.seq, row.fold)
    }
  }

  /// nil for a malformed row: a snapshot is a cache, and one that cannot be read is none.
  private func snapshot(_ row: Statement) -> Snapshot? {
    guard let seq = Seq(exactly: row.integer(0)), let fold = row.text(1), let digest = row.digest(2)
    else { return nil }
    return Snapshot(seq: seq, foldID: fold, logDigest: digest, state: Array(row.bytes(3)))
  }
}
