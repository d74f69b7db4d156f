extension EventStore {
  /// Holds every log, or that of `session` and its ancestors, to its digests and to the rules of an
  /// append, through the calls of the protocol alone.
  ///
  /// A session that cannot be read is reported as far as it can.
  /// - Throws: `EventStoreError.noSuchSession`; what reading throws besides damage.
  /// - Complexity: O(n) for n events, in constant memory.
  public func verifyLogs(
    _ session: SessionID?, report: @escaping (VerifyFinding) -> Void
  ) throws {
    let sessions = try sessions()
    for info in try sessions.verified(session) {
      try EventStoreError.reportingDamage {
        report(VerifyFinding(session: info.name.rawValue, problem: $0))
      } in: {
        try verifyLog(of: info, report)
      }
    }
  }

  private func verifyLog(
    of info: SessionInfo, _ report: @escaping (VerifyFinding) -> Void
  ) throws {
    let end = try tail(of: info.id).version
    let start = info.parent?.seq ?? .zero
    var (time, open): (Timestamp?, [Seq: Seq]) = (nil, [:])
    try forEachEvent(of: info.id, through: start) { header, _ in
      time = header.recordedAt
      if header.kind == .pending { open[header.cause] = header.seq }
      if header.kind.endsEffect { open[header.cause] = nil }
    }
    let digest =
      if let parent = info.parent { try self.digest(of: parent.session, at: parent.seq) } else {
        LogDigest(reactor: info.reactor).digest
      }
    var verifier = LogVerifier(
      session: info.name.rawValue, start: start, digest: digest, payloadBytes: 0, time: time,
      openEffects: open, isAction: { try self.kind(of: $0, in: info.id) == .action }, report: report
    )
    try feed(&verifier, info.id, start, end)
    let listed = try openEffects(of: info.id).map(\.header.seq)
    if listed != verifier.openEffects.values.sorted() {
      report(
        VerifyFinding(
          session: info.name.rawValue,
          problem: "the open effects listed are not those that the log leaves open"))
    }
  }

  private func feed(
    _ verifier: inout LogVerifier, _ session: SessionID, _ start: Seq, _ end: Seq
  ) throws {
    var (reached, page) = (start, EventBatch())
    while reached < end {
      guard let commit = try commits(of: session, after: reached, limit: 1).first else { break }
      verifier.begin(
        .init(
          position: commit.position.rawValue, first: commit.firstSeq, last: commit.lastSeq,
          digest: commit.digest, payloadBytes: nil))
      while reached < commit.lastSeq {
        try read(session, after: reached, through: commit.lastSeq, into: &page)
        guard let last = page.headers.last else { break }
        for index in page.headers.indices {
          let id = page.delivery(at: index)?.id
          try page.withPayload(at: index) {
            try verifier.event(page.headers[index], deliveryID: id, payload: $0)
          }
        }
        reached = last.seq
      }
      reached = max(reached, commit.lastSeq)
    }
    verifier.finish()
  }

  private func kind(of seq: Seq, in session: SessionID) throws -> EventKind? {
    guard let before = seq.advanced(by: -1) else { return nil }
    var page = EventBatch()
    try read(session, after: before, through: seq, into: &page)
    return page.headers.first?.kind
  }
}

extension [SessionInfo] {
  /// All, or `session` and its ancestors: what vouches for its log. Oldest first.
  package func verified(_ session: SessionID?) throws -> [SessionInfo] {
    guard let session else { return self }
    var (found, next): ([SessionInfo], SessionID?) = ([], session)
    while let id = next {
      guard let info = first(where: { $0.id == id }) else {
        throw EventStoreError.noSuchSession("number \(id.rawValue)")
      }
      found.insert(info, at: 0)
      // A parent is older than its fork; anything else would go in circles.
      next = info.parent.flatMap { $0.session < id ? $0.session : nil }
    }
    return found
  }
}
