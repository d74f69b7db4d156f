import EventStoreCore

/// What can be asked of a store, over one connection. Every statement is reset before its answer is
/// given, so that outside an explicit transaction none stays open.
///
/// Rows that no writer of this format makes are `EventStoreError.damaged`, never a crash.
final class LogReader {
  let connection: Connection
  private let select: Selects
  /// Lineages never change, but those of a transaction that is rolled back never were.
  private var lineages: [SessionID: Lineage] = [:]

  init(_ connection: Connection) throws {
    self.connection = connection
    select = try Selects(connection)
  }

  /// To be called when a transaction was rolled back.
  func forgetLineages() { lineages = [:] }

  // MARK: Sessions

  func sessions() throws -> [SessionInfo] {
    try select.sessions.all { try self.sessionRow($0).info }
  }

  func session(named name: SessionName) throws -> SessionInfo? {
    try select.sessionByName.first(.text(name.rawValue)) { try self.sessionRow($0).info }
  }

  func newestSession() throws -> SessionInfo? {
    if let id = try select.newestCommit.first(read: { $0.integer(0) }) {
      guard let session = Int32(exactly: id) else { throw damaged("a commit of session \(id)") }
      return try lineage(of: SessionID(session)).info
    }
    return try select.newestSession.first { try self.sessionRow($0).info }
  }

  /// The number of the newest session, 0 in an empty store.
  func newestSessionID() throws -> Int64 {
    try select.newestSession.first { $0.integer(0) } ?? 0
  }

  /// - Throws: `EventStoreError.noSuchSession`, `.damaged`.
  func lineage(of session: SessionID) throws -> Lineage {
    if let known = lineages[session] { return known }
    guard var row = try sessionRow(of: session) else {
      throw EventStoreError.noSuchSession("number \(session.rawValue)")
    }
    let info = row.info
    var segments: [Lineage.Segment] = []
    var through = Seq.max
    while true {
      segments.append(
        Lineage.Segment(
          session: row.info.id, after: row.info.parent?.seq ?? .zero, through: through,
          start: row.start))
      guard let parent = row.info.parent else { break }
      through = min(through, parent.seq)
      // Parents are older than their forks; anything else would go in circles.
      guard parent.session < row.info.id, let next = try sessionRow(of: parent.session) else {
        throw damaged("session \(row.info.name) has no parent \(parent.session.rawValue)")
      }
      row = next
    }
    let lineage = Lineage(info: info, segments: segments.reversed())
    lineages[session] = lineage
    return lineage
  }

  private func sessionRow(of session: SessionID) throws -> (info: SessionInfo, start: LogPoint)? {
    try select.sessionByID.first(.integer(Int64(session.rawValue))) { try self.sessionRow($0) }
  }

  private func sessionRow(_ row: Statement) throws -> (info: SessionInfo, start: LogPoint) {
    let number = row.integer(0)
    guard
      let id = Int32(exactly: number), id > 0,
      let name = row.text(1).flatMap({ try? SessionName($0) }), let reactor = row.text(2),
      let digest = row.digest(6)
    else { throw damaged("the row of session \(number) is malformed") }
    var parent: SessionInfo.Parent?
    if !row.isNull(4) {
      guard let older = Int32(exactly: row.integer(4)), let seq = Seq(exactly: row.integer(5))
      else { throw damaged("session \(name) has a parent that cannot be") }
      parent = .init(session: SessionID(older), seq: seq)
    }
    let info = SessionInfo(
      id: SessionID(id), name: name, reactor: reactor,
      createdAt: Timestamp(microseconds: row.integer(3)), parent: parent)
    let start = LogPoint(seq: parent?.seq ?? .zero, digest: digest, payloadBytes: row.integer(7))
    return (info, start)
  }

  // MARK: Where a log ends, and what it was at a place

  func tail(of session: SessionID) throws -> Tail {
    let lineage = try lineage(of: session)
    let end = try lastCommit(in: lineage.own, through: .max, lineage) ?? lineage.own.start
    let time =
      end.seq == .zero ? lineage.info.createdAt : try header(at: end.seq, lineage).recordedAt
    return Tail(
      version: end.seq, recordedAt: time, digest: end.digest, payloadBytes: end.payloadBytes)
  }

  /// The log up to `seq`, which is not beyond its end.
  func point(at seq: Seq, _ lineage: Lineage) throws -> LogPoint {
    let segment = seq == .zero ? lineage.segments[0] : lineage.segment(holding: seq)
    if seq == .zero { return segment.start }
    let base = try lastCommit(in: segment, through: seq, lineage) ?? segment.start
    var chain = LogDigest(continuing: base.digest)
    var bytes = base.payloadBytes
    var page = EventBatch()
    var reached = base.seq
    while reached < seq {
      page.removeAll()
      try read(segment, after: reached, through: seq, lineage, into: &page)
      guard let last = page.headers.last else { throw missing(reached, lineage) }
      chain.append(contentsOf: page)
      bytes += Int64(page.byteCount)
      reached = last.seq
    }
    return LogPoint(seq: seq, digest: chain.digest, payloadBytes: bytes)
  }

  /// - Throws: `EventStoreError.noSuchEvent` beyond the end.
  func requirePlace(_ seq: Seq, _ lineage: Lineage) throws {
    let end = try lastCommit(in: lineage.own, through: .max, lineage) ?? lineage.own.start
    guard seq <= end.seq else {
      throw EventStoreError.noSuchEvent(
        session: lineage.info.name.rawValue, seq: seq, last: end.seq)
    }
  }

  /// The end of the newest commit of the segment's session that ends at or before `through`.
  private func lastCommit(
    in segment: Lineage.Segment, through: Seq, _ lineage: Lineage
  ) throws -> LogPoint? {
    let session = Int64(segment.session.rawValue)
    return try select.lastCommit.first(.integer(session), .integer(Int64(through.rawValue))) {
      guard let seq = Seq(exactly: $0.integer(0)), let digest = $0.digest(1) else {
        throw self.damaged("session \(lineage.info.name): its last commit is malformed")
      }
      return LogPoint(seq: seq, digest: digest, payloadBytes: $0.integer(2))
    }
  }

  func header(at seq: Seq, _ lineage: Lineage) throws -> EventHeader {
    let id = EventID(lineage.segment(holding: seq).session, seq)
    let found = try select.header.first(.integer(id.rawValue)) {
      try self.header($0, at: seq, lineage)
    }
    guard let found else { throw damaged("session \(lineage.info.name): seq \(seq) is missing") }
    return found
  }

  func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    let lineage = try lineage(of: session)
    var low: UInt32 = 0
    var high = try tail(of: session).version.rawValue
    while low < high {
      let middle = high - (high - low) / 2
      if try header(at: Seq(middle), lineage).recordedAt <= time {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return Seq(low)
  }
}

extension LogReader {
  // MARK: Events

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    page.removeAll()
    let lineage = try lineage(of: session)
    for segment in lineage.segments where segment.through > seq && !page.isFull {
      if segment.after >= last { return }
      let start = page.headers.last?.seq ?? max(seq, segment.after)
      try read(
        segment, after: max(start, segment.after), through: min(last, segment.through), lineage,
        into: &page)
    }
  }

  /// Adds events of one segment to `page` until it is full, and then their deliveries.
  private func read(
    _ segment: Lineage.Segment, after seq: Seq, through last: Seq, _ lineage: Lineage,
    into page: inout EventBatch
  ) throws {
    let first = page.count
    var reached = seq
    let events = select.events
    try events.rows(
      .integer(EventID(segment.session, seq).rawValue),
      .integer(EventID(segment.session, last).rawValue)
    ) { row in
      guard let next = reached.advanced(by: 1), row.integer(0) & 0xffff_ffff == next.rawValue else {
        throw self.missing(reached, lineage)
      }
      guard row.isText(4) else {
        throw self.damaged("session \(lineage.info.name): seq \(next) has no payload")
      }
      page.append(try self.header(row, at: next, lineage), payload: row.bytes(4))
      reached = next
      return !page.isFull
    }
    if !page.isFull, segment.through < .max, reached < last { throw missing(reached, lineage) }
    try attachDeliveries(segment, after: seq, through: reached, lineage, first, &page)
  }

  private func attachDeliveries(
    _ segment: Lineage.Segment, after seq: Seq, through last: Seq, _ lineage: Lineage,
    _ first: Int, _ page: inout EventBatch
  ) throws {
    guard seq < last else { return }
    try select.deliveriesInRange.rows(
      .integer(Int64(segment.session.rawValue)), .integer(Int64(seq.rawValue)),
      .integer(Int64(last.rawValue))
    ) { row in
      let recorded = try self.delivery(row, lineage)
      page.setDelivery(recorded.delivery, at: first + seq.distance(to: recorded.seq) - 1)
      return true
    }
  }

  private func header(_ row: Statement, at seq: Seq, _ lineage: Lineage) throws -> EventHeader {
    guard
      let kind = UInt8(exactly: row.integer(1)).flatMap(EventKind.init(rawValue:)),
      let cause = Seq(exactly: row.integer(2))
    else { throw damaged("session \(lineage.info.name): seq \(seq) is malformed") }
    return EventHeader(
      seq: seq, kind: kind, cause: cause, recordedAt: Timestamp(microseconds: row.integer(3)))
  }

  // MARK: Commits, effects, deliveries, snapshots

  func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    let lineage = try lineage(of: session)
    var found: [Commit] = []
    for segment in lineage.segments where segment.through > seq && found.count < limit {
      found += try select.commits.all(
        .integer(Int64(segment.session.rawValue)),
        .integer(Int64(max(seq, segment.after).rawValue)),
        .integer(Int64(segment.through.rawValue)), .integer(Int64(limit - found.count))
      ) { try self.commit($0, of: segment.session, lineage) }
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
      let first = Seq(exactly: row.integer(1)), let last = Seq(exactly: row.integer(2)),
      let digest = row.digest(4)
    else {
      throw damaged("session \(lineage.info.name): commit \(row.integer(0)) is malformed")
    }
    return Commit(
      position: Position(row.integer(0)), session: session, firstSeq: first, lastSeq: last,
      schemaVersion: Int(row.integer(3)), digest: digest)
  }

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

  /// The effects that were open at `seq`, by their actions, and the seqs of their pending events.
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

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    let lineage = try lineage(of: session)
    for segment in lineage.segments {
      let found = try select.delivery.first(
        .integer(Int64(segment.session.rawValue)), .text(id)
      ) { try self.delivery($0, lineage) }
      if let found, found.seq <= segment.through { return found }
    }
    return nil
  }

  private func delivery(_ row: Statement, _ lineage: Lineage) throws -> RecordedDelivery {
    guard let seq = Seq(exactly: row.integer(0)), let id = row.text(1), let body = row.digest(2)
    else { throw damaged("session \(lineage.info.name): a delivery is malformed") }
    return RecordedDelivery(seq: seq, delivery: Delivery(id: id, bodyDigest: body))
  }

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

  // MARK: Damage

  func damaged(_ reason: String) -> EventStoreError {
    .damaged(path: connection.path, reason: reason)
  }

  private func missing(_ seq: Seq, _ lineage: Lineage) -> EventStoreError {
    damaged("session \(lineage.info.name): the event after seq \(seq) is missing")
  }
}

extension EventBatch {
  /// Whether a page holds no more.
  fileprivate var isFull: Bool {
    count >= PageLimits.events || byteCount >= PageLimits.bytes
  }
}
