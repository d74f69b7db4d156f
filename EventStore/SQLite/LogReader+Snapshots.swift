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

  func snapshots(of session: SessionID) throws -> [Snapshot] {
    var found: [Snapshot] = []
    for segment in try lineage(of: session).segments {
      let rows = try select.snapshots.all(
        .integer(Int64(segment.session.rawValue)), .integer(Int64(segment.through.rawValue))
      ) { self.snapshot($0) }
      for snapshot in rows.compactMap({ $0 }) {
        found.removeAll { $0.seq == snapshot.seq && $0.foldID == snapshot.foldID }
        found.append(snapshot)
      }
    }
    return found.sorted { ($0.seq, $0.foldID) < ($1.seq, $1.foldID) }
  }

  /// nil for a malformed row: a snapshot is a cache, and one that cannot be read is none.
  private func snapshot(_ row: Statement) -> Snapshot? {
    guard let seq = Seq(exactly: row.integer(0)), let fold = row.text(1), let digest = row.digest(2)
    else { return nil }
    return Snapshot(seq: seq, foldID: fold, logDigest: digest, state: Array(row.bytes(3)))
  }
}
