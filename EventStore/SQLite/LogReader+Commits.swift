import EventStoreCore

extension LogReader {
  func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    let lineage = try lineage(of: session)
    var found: [Commit] = []
    for segment in lineage.segments where segment.through > seq && found.count < limit {
      found += try select.commits.all(
        .integer(Int64(segment.session.rawValue)),
        .integer(Int64(max(seq, segment.after).rawValue)),
        .integer(Int64(segment.through.rawValue)), .integer(Int64(limit - found.count))
      ) { try self.commit($0, of: segment.session, lineage) }
      // Whoever goes on behind the last one must get further.
      guard found.first.map({ $0.lastSeq > seq }) ?? true,
        zip(found, found.dropFirst()).allSatisfy({ $0.lastSeq < $1.lastSeq })
      else { throw damaged("session \(lineage.info.name): its commits are not in their order") }
      if let last = found.last, last.lastSeq > segment.through {
        // A fork in the middle of a commit shares only its first part.
        found[found.count - 1].lastSeq = segment.through
        found[found.count - 1].digest = try point(at: segment.through, lineage).digest
      }
    }
    return found
  }

  private func commit(
    _ row: Statement, of session: SessionID, _ lineage: Lineage
  ) throws -> Commit {
    guard
      CommitLimits.positions.contains(row.integer(0)),
      let first = Seq(exactly: row.integer(1)), let last = Seq(exactly: row.integer(2)),
      let schemaVersion = Int(exactly: row.integer(3)),
      CommitLimits.schemaVersions.contains(schemaVersion), let digest = row.digest(4)
    else {
      throw damaged("session \(lineage.info.name): commit \(row.integer(0)) is malformed")
    }
    return Commit(
      position: Position(row.integer(0)), session: session, firstSeq: first, lastSeq: last,
      schemaVersion: schemaVersion, digest: digest)
  }
}
