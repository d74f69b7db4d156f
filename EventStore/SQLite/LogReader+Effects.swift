import EventStoreCore

extension LogReader {
  func openEffects(of session: SessionID) throws -> [Event] {
    let lineage = try lineage(of: session)
    let seqs = try select.openEffects.all(.integer(Int64(session.rawValue))) { row in
      guard let seq = Seq(exactly: row.integer(0)), seq > .zero else {
        throw self.damaged("session \(lineage.info.name): an open effect is malformed")
      }
      return seq
    }
    return try seqs.map { seq in
      var page = EventBatch()
      let before = seq.advanced(by: -1) ?? .zero
      try read(session, after: before, through: seq, into: &page)
      guard !page.isEmpty else {
        throw damaged("session \(lineage.info.name): seq \(seq) is missing")
      }
      return page[0]
    }
  }

  func hasOpenEffect(_ cause: Seq, in session: SessionID) throws -> Bool {
    try select.openEffect.first(
      .integer(Int64(session.rawValue)), .integer(Int64(cause.rawValue))
    ) { _ in true } ?? false
  }

  /// The effects that were open at `seq`, by their actions, and the seqs of their newest pending
  /// events.
  /// - Complexity: O(n) for the n events up to `seq`, without their payloads.
  func effectsOpen(at seq: Seq, _ lineage: Lineage) throws -> [Seq: Seq] {
    var open: [Seq: Seq] = [:]
    for segment in lineage.segments where segment.after < seq {
      try select.effectEvents.rows(
        .integer(EventID(segment.session, segment.after).rawValue),
        .integer(EventID(segment.session, min(seq, segment.through)).rawValue)
      ) { row in
        let place = Seq(UInt32(truncatingIfNeeded: row.integer(0)))
        let header = try self.header(row, at: place, lineage)
        open[header.cause] = header.kind == .pending ? place : nil
        return true
      }
    }
    return open
  }
}
