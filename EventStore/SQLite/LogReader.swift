import EventStoreCore

/// What can be asked of a store, over one connection. Every statement is reset before its answer is
/// given, so that outside an explicit transaction none stays open.
///
/// Rows that no writer of this format makes are `EventStoreError.damaged`, never a crash.
final class LogReader {
  /// So that memory does not grow with the number of sessions; forks of forks have many segments.
  private static let segmentsKept = 16_384

  let connection: Connection
  let select: Selects
  /// Lineages never change, but those of a transaction that is rolled back never were.
  private var lineages: [SessionID: Lineage] = [:]
  private var segmentCount = 0
  private var tooDeep: Set<SessionID> = []

  /// Whether forks are read though their row does not fit its seal: by who says so himself.
  private let readsChangedForks: Bool

  init(_ connection: Connection, readsChangedForks: Bool = false) throws {
    self.connection = connection
    self.readsChangedForks = readsChangedForks
    select = try Selects(connection)
  }

  /// To be called when a transaction was rolled back.
  func forgetLineages() {
    lineages = [:]
    tooDeep = []
    segmentCount = 0
  }

  // MARK: Sessions

  func sessions() throws -> [SessionInfo] {
    try select.sessions.all { try self.sessionRow($0).info }
  }

  func session(named name: SessionName) throws -> SessionInfo? {
    try select.sessionByName.first(.text(name.rawValue)) { try self.sessionRow($0).info }
  }

  func newestSession() throws -> SessionInfo? {
    if let id = try select.newestCommit.first(read: { $0.integer(0) }) {
      guard let session = Int32(exactly: id), let row = try sessionRow(of: SessionID(session))
      else { throw damaged("the newest commit is of session \(id), which is not there") }
      return row.info
    }
    return try select.newestSession.first { try self.sessionRow($0).info }
  }

  /// The number of the newest session, 0 in an empty store.
  func newestSessionID() throws -> Int64 {
    try select.newestSession.first { $0.integer(0) } ?? 0
  }

  /// A table that has rows of the session numbered `session`, or nil.
  func tableKnowing(_ session: SessionID) throws -> String? {
    try select.tablesKnowing.first(.integer(Int64(session.rawValue))) { $0.text(0) } ?? nil
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
      // A fork that is cut off elsewhere has another past, and nothing but its seal tells. Of a session
      // that is no fork, nothing in the row changes its log.
      if row.info.parent != nil, !readsChangedForks,
        !row.seal.fits(Seal.session(row.info, start: row.start))
      {
        throw damaged("the row of session \(row.info.name) was changed: its past cannot be told")
      }
      segments.append(
        Lineage.Segment(
          session: row.info.id, after: row.info.parent?.seq ?? .zero, through: through,
          start: row.start))
      guard let parent = row.info.parent else { break }
      through = min(through, parent.seq)
      // Parents are older than their forks; anything else would go in circles.
      let isOlder = parent.session < row.info.id
      if isOlder, let known = lineages[parent.session] {
        segments += known.segments.reversed().map { $0.shared(through: through) }
        break
      }
      if segments.count > ForkLimits.generations || tooDeep.contains(parent.session) {
        throw isTooDeep(info)
      }
      guard isOlder, let next = try sessionRow(of: parent.session) else {
        throw damaged("session \(row.info.name) has no parent \(parent.session.rawValue)")
      }
      row = next
    }
    if segments.count > ForkLimits.generations + 1 { throw isTooDeep(info) }
    let lineage = Lineage(info: info, segments: segments.reversed())
    if segmentCount + segments.count > Self.segmentsKept { (lineages, segmentCount) = ([:], 0) }
    segmentCount += segments.count
    lineages[session] = lineage
    return lineage
  }

  /// So that the forks of this one need not be followed as far to be told the same.
  private func isTooDeep(_ info: SessionInfo) -> EventStoreError {
    if tooDeep.count >= Self.segmentsKept { tooDeep = [] }
    tooDeep.insert(info.id)
    return damaged(
      "session \(info.name) is a fork of forks more than \(ForkLimits.generations) deep")
  }

  /// A session, where its own log begins, and what its row was sealed with.
  private typealias SessionRow = (info: SessionInfo, start: LogPoint, seal: SealedDigest)

  private func sessionRow(of session: SessionID) throws -> SessionRow? {
    try select.sessionByID.first(.integer(Int64(session.rawValue))) { try self.sessionRow($0) }
  }

  private func sessionRow(_ row: Statement) throws -> SessionRow {
    let number = row.integer(0)
    guard
      let id = Int32(exactly: number), id > 0,
      let name = row.text(1).flatMap({ try? SessionName($0) }), let reactor = row.text(2),
      let sealed = row.sealedDigest(6), Tail.payloadBytesRange.contains(row.integer(7))
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
    let start = LogPoint(
      seq: parent?.seq ?? .zero, digest: sealed.digest, payloadBytes: row.integer(7))
    return (info, start, sealed)
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

  /// - Throws: `EventStoreError.damaged` where the session has events of its own behind `seq`, the end
  ///   of its last commit.
  func requireEnd(at seq: Seq, _ lineage: Lineage) throws {
    let id = lineage.info.id
    let isBeyond = try select.eventIn.first(
      .integer(EventID(id, seq).rawValue), .integer(EventID(id, .max).rawValue)
    ) { _ in true }
    guard isBeyond == nil else {
      throw damaged(
        seq == lineage.own.after
          ? "session \(lineage.info.name) has events, but no commit that holds them"
          : "session \(lineage.info.name) has events beyond its last commit, which ends at seq \(seq)"
      )
    }
  }

  /// The end of the newest commit of the segment's session that ends at or before `through`.
  private func lastCommit(
    in segment: Lineage.Segment, through: Seq, _ lineage: Lineage
  ) throws -> LogPoint? {
    let session = Int64(segment.session.rawValue)
    return try select.lastCommit.first(.integer(session), .integer(Int64(through.rawValue))) {
      guard
        let seq = Seq(exactly: $0.integer(0)), seq > segment.after, let digest = $0.digest(1),
        Tail.payloadBytesRange.contains($0.integer(2))
      else {
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

  // MARK: Damage

  func damaged(_ reason: String) -> EventStoreError {
    .damaged(path: connection.path, reason: reason)
  }

  func missing(_ seq: Seq, _ lineage: Lineage) -> EventStoreError {
    damaged("session \(lineage.info.name): the event after seq \(seq) is missing")
  }
}
