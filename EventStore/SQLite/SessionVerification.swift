import EventStoreCore

/// Verifies one session's own log: what it does not inherit.
///
/// Reads in pages. What is appended meanwhile is left for the next time: the end, the open effects
/// and the snapshots are noted in one transaction at the start.
final class SessionVerification {
  /// A snapshot's claim of what the log was.
  private struct Claim {
    var seq: Seq
    var fold: String
    var digest: Digest?
  }

  private let info: SessionInfo
  private let lineage: Lineage
  private let reader: LogReader
  private let rows: VerifySelects
  private let report: (VerifyFinding) -> Void
  private var verifier: LogVerifier
  private var end = Seq.zero
  private var commits: [LogVerifier.CommitRow] = []
  private var claims: ArraySlice<Claim> = []
  private var listedEffects: [Seq: Seq] = [:]

  private var session: SQLValue { .integer(Int64(info.id.rawValue)) }
  private var start: Seq { lineage.own.after }

  init(
    _ info: SessionInfo, _ reader: LogReader, _ rows: VerifySelects,
    _ report: @escaping (VerifyFinding) -> Void
  ) throws {
    let lineage = try reader.lineage(of: info.id)
    let start = lineage.own.start
    (self.info, self.lineage, self.reader, self.rows) = (info, lineage, reader, rows)
    self.report = report
    verifier = LogVerifier(
      session: info.name.rawValue, start: start.seq, digest: start.digest,
      payloadBytes: start.payloadBytes,
      time: start.seq == .zero
        ? nil : try Self.undamaged { try reader.header(at: start.seq, lineage).recordedAt },
      openEffects: try Self.undamaged { try reader.effectsOpen(at: start.seq, lineage) } ?? [:],
      isAction: { seq in
        let id = EventID(lineage.segment(holding: seq).session, seq).rawValue
        return try rows.kind.first(.integer(id)) { $0.integer(0) }
          == Int64(EventKind.action.rawValue)
      }, report: report)
  }

  /// What `body` gives, or nil where it meets damage: that of an ancestor is reported with it.
  private static func undamaged<T>(_ body: () throws -> T) throws -> T? {
    try EventStoreError.reportingDamage(to: { _ in }, in: body)
  }

  /// Whether `body` came to its end; damage that keeps it from that is reported.
  @discardableResult
  private func completes(_ body: () throws -> Void) throws -> Bool {
    try EventStoreError.reportingDamage(to: { find(nil, $0) }, in: body) != nil
  }

  /// Reports all that is off.
  func run() throws {
    try completes { try verifyStart() }
    // Of a log that cannot be followed to its end, nothing can be said that is derived from it.
    if try completes({ try verifyEvents() }) {
      try completes { try checkClaims(through: .max) }
      verifyEffects()
    }
    try completes { try verifyDeliveries() }
    try completes { try verifySnapshots() }
  }

  private func verifyEvents() throws {
    try noteEnd()
    var next = try nextID(after: EventID(info.id, .zero).rawValue - 1)
    while let id = next { next = try verifyPage(from: id) }
    while let commit = try nextCommit() { verifier.begin(commit) }
    verifier.finish()
  }

  // MARK: The start and the end

  /// A root's log starts with the digest of its reactor's name, a fork's with its parent's.
  private func verifyStart() throws {
    let isSealed = try rows.sessionDigest.first(session) {
      $0.sealedDigest(0)?.fits(Seal.session(info, start: lineage.own.start)) ?? false
    }
    if isSealed == false {
      find(
        nil,
        "its row was changed: the name, the time of creation or the place it was forked from")
    }
    guard let parent = info.parent else {
      if lineage.own.start.digest != LogDigest(reactor: info.reactor).digest {
        find(nil, "the digest that it starts with is not that of the reactor \(info.reactor)")
      }
      let bytes = lineage.own.start.payloadBytes
      if bytes != 0 { find(nil, "it counts \(bytes) payload bytes before its first event") }
      return
    }
    let older = try reader.lineage(of: parent.session)
    if older.info.reactor != info.reactor {
      find(nil, "its reactor \(info.reactor) is not that of its parent, \(older.info.reactor)")
    }
    let shared = try Self.undamaged {
      try reader.requirePlace(parent.seq, older)
      return try reader.point(at: parent.seq, older)
    }
    if shared != lineage.own.start {
      find(nil, "what it starts with is not the log of \(older.info.name) up to seq \(parent.seq)")
    }
  }

  private func noteEnd() throws {
    let connection = reader.connection
    try connection.execute("BEGIN")
    defer { try? connection.execute("COMMIT") }
    let own = EventID(info.id, .zero).rawValue
    let event = try rows.lastEvent.first(.integer(own), .integer(own | 0xffff_ffff)) {
      Seq(UInt32(truncatingIfNeeded: $0.integer(0)))
    }
    let last = try rows.lastCommit.first(session) { $0.isNull(0) ? nil : $0.integer(0) } ?? nil
    let commit = last.flatMap { Seq(exactly: $0) }
    if let last, commit == nil { find(nil, "a commit ends at \(last), which cannot be a seq") }
    end = max(event ?? start, commit ?? start)
    try rows.openEffects.rows(session) { row in
      if let cause = Seq(exactly: row.integer(0)), let seq = Seq(exactly: row.integer(1)) {
        self.listedEffects[cause] = seq
      } else {
        self.find(nil, "a row of open_effects is malformed")
      }
      return true
    }
    claims = try rows.snapshots.all(session) { row -> Claim? in
      guard let seq = Seq(exactly: row.integer(0)) else {
        find(nil, "a snapshot is of seq \(row.integer(0)), which cannot be a seq")
        return nil
      }
      return Claim(seq: seq, fold: row.text(1) ?? "?", digest: row.digest(2))
    }.compactMap { $0 }[...]
  }

  // MARK: Events

  /// Verifies the rows from `id` on that one page holds; gives the id of the next one.
  private func verifyPage(from id: Int64) throws -> Int64? {
    let last = EventID(info.id, end).rawValue
    let first = Int64(id & 0xffff_ffff)
    let deliveries = try deliveries(from: first)
    var reached = id - 1
    try rows.events.rows(.integer(id), .integer(last)) { row in
      guard row.integer(0) > reached else { throw self.disorder("events") }
      reached = row.integer(0)
      try self.verify(row, at: Seq(UInt32(truncatingIfNeeded: reached)), deliveries)
      return true
    }
    return try nextID(after: reached)
  }

  private func nextID(after id: Int64) throws -> Int64? {
    let last = EventID(info.id, end).rawValue
    // The last event of the last session has the largest number that there is.
    guard id < last else { return nil }
    let next = try rows.firstEvent.first(.integer(id + 1)) { $0.integer(0) }
    if let next, next <= id { throw disorder("events") }
    return next.flatMap { $0 <= last ? $0 : nil }
  }

  private func deliveries(from first: Int64) throws -> [Int64: String] {
    let found = try rows.deliveries.all(
      session, .integer(first), .integer(first + Int64(PageLimits.events))
    ) { ($0.integer(0), $0.text(1) ?? "") }
    return Dictionary(found) { one, _ in one }
  }

  private func verify(_ row: Statement, at seq: Seq, _ deliveries: [Int64: String]) throws {
    while seq > (currentCommit?.last ?? start), let next = try nextCommit() {
      currentCommit = next
      verifier.begin(next)
    }
    try checkClaims(through: Seq(seq.rawValue &- (seq == .zero ? 0 : 1)))
    let kind = UInt8(exactly: row.integer(1)).flatMap(EventKind.init(rawValue:))
    guard let kind else { return verifier.malformed(seq, "kind \(row.integer(1)) is unknown") }
    guard let cause = Seq(exactly: row.integer(2)) else {
      return verifier.malformed(seq, "its cause \(row.integer(2)) cannot be a seq")
    }
    guard row.isText(4) else { return verifier.malformed(seq, "its payload is not text") }
    let header = EventHeader(
      seq: seq, kind: kind, cause: cause, recordedAt: Timestamp(microseconds: row.integer(3)))
    let payload = row.bytes(4)
    try verifier.event(
      header, deliveryID: deliveries[Int64(seq.rawValue)], payload: payload.bytes)
  }

  private var currentCommit: LogVerifier.CommitRow?
  private var lastCommitRead: Seq?

  /// The next commit of the session; malformed ones are reported and passed over.
  private func nextCommit() throws -> LogVerifier.CommitRow? {
    while commits.isEmpty {
      let page = try rows.commits.all(
        session, .integer(lastCommitRead.map { Int64($0.rawValue) } ?? .min),
        .integer(Int64(end.rawValue))
      ) { ($0.integer(2), self.commit($0)) }
      guard let last = page.last, let seq = Seq(exactly: last.0) else { return nil }
      if let read = lastCommitRead, seq <= read { throw disorder("commits") }
      lastCommitRead = seq
      commits = page.compactMap(\.1)
    }
    return commits.removeFirst()
  }

  private func commit(_ row: Statement) -> LogVerifier.CommitRow? {
    guard
      let first = Seq(exactly: row.integer(1)), let last = Seq(exactly: row.integer(2)),
      let sealed = row.sealedDigest(4), CommitLimits.positions.contains(row.integer(0))
    else {
      find(Seq(exactly: row.integer(2)), "commit \(row.integer(0)) is malformed")
      return nil
    }
    let schema = row.integer(5)
    if !CommitLimits.schemaVersions.contains(Int(schema)) {
      find(last, "commit \(row.integer(0)) has the schema version \(schema), which cannot be")
    }
    let isWhole = sealed.fits(
      Seal.commit(
        info.id, first: first, last: last, schemaVersion: schema, payloadBytes: row.integer(3),
        digest: sealed.digest))
    if !isWhole, CommitLimits.schemaVersions.contains(Int(schema)) {
      find(
        last,
        "the row of commit \(row.integer(0)) was changed: its schema version, or its range")
    }
    return .init(
      position: row.integer(0), first: first, last: last, digest: sealed.digest,
      payloadBytes: row.integer(3))
  }

  // MARK: What is derived from the events

  /// Holds the snapshots at or before `seq`, up to which the verifier has come, to the log.
  private func checkClaims(through seq: Seq) throws {
    while let claim = claims.first, claim.seq <= seq {
      claims.removeFirst()
      if claim.seq > max(verifier.reached, start) {
        find(claim.seq, "a snapshot of fold \(claim.fold) lies beyond the end of the log")
      } else {
        let digest =
          claim.seq == verifier.reached
          ? verifier.digest
          : try Self.undamaged { try reader.point(at: claim.seq, lineage).digest }
        if claim.digest != digest {
          find(claim.seq, "a snapshot of fold \(claim.fold) was taken of another log")
        }
      }
    }
  }

  private func verifyEffects() {
    for (cause, seq) in verifier.openEffects where listedEffects[cause] != seq {
      find(seq, "the effect of seq \(cause) is open, but not listed as open")
    }
    for (cause, seq) in listedEffects where verifier.openEffects[cause] != seq {
      find(seq, "the effect of seq \(cause) is listed as open, but is not")
    }
  }

  private func verifyDeliveries() throws {
    try rows.strayDeliveries.rows(session) { row in
      let seq = Seq(exactly: row.integer(0))
      self.find(seq, "the delivery \(row.text(1) ?? "?") is malformed or stands on no action")
      return true
    }
    try rows.allDeliveries.rows(session) { row in
      guard let seq = Seq(exactly: row.integer(0)), let id = row.text(1),
        let sealed = row.sealedDigest(2)
      else { return true }
      let delivery = Delivery(id: id, bodyDigest: sealed.digest)
      if !sealed.fits(Seal.delivery(delivery, at: seq, of: self.info.id)) {
        self.find(seq, "the row of the delivery \(id) was changed")
      }
      return true
    }
  }

  /// The states of snapshots, each of which is read once.
  private func verifySnapshots() throws {
    try rows.snapshotStates.rows(session) { row in
      guard let seq = Seq(exactly: row.integer(0)) else { return true }
      guard let sealed = row.sealedDigest(2), row.isText(1), row.isText(3) else {
        self.find(seq, "a snapshot is malformed")
        return true
      }
      let isWhole = sealed.fits(
        Seal.snapshot(
          of: self.info.id, at: seq, fold: row.bytes(1).bytes, state: row.bytes(3).bytes,
          logDigest: sealed.digest))
      if !isWhole {
        self.find(seq, "the snapshot of fold \(row.text(1) ?? "?") was changed; it is not used")
      }
      return true
    }
  }

  /// A table in which a page lies where another should: going on from row to row would never end.
  private func disorder(_ table: String) -> EventStoreError {
    reader.damaged("the rows of \(table) are not in their order")
  }

  private func find(_ seq: Seq?, _ problem: String) {
    report(VerifyFinding(session: info.name.rawValue, seq: seq, problem: problem))
  }
}
