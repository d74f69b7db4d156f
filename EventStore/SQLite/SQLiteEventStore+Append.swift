import CSQLite
import EventStoreCore

/// What the body of `SQLiteEventStore.transaction` works on.
final class SQLiteTransaction: EventStoreTransaction {
  var isOver = false
  /// What a write failed at after it had begun: the transaction must not be committed, even where its
  /// body goes on after that.
  private(set) var failure: (any Error)?
  private let writer: Writer

  init(_ writer: Writer) { self.writer = writer }

  func session(named name: SessionName) throws -> SessionInfo? {
    try current().reader.session(named: name)
  }

  func tail(of session: SessionID) throws -> Tail { try current().reader.tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try current().reader.read(session, after: seq, through: last, into: &page)
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try current().reader.delivery(id, in: session)
  }

  func openEffects(of session: SessionID) throws -> [Event] {
    try current().reader.openEffects(of: session)
  }

  func createSession(
    named name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo {
    let start = LogPoint(seq: .zero, digest: LogDigest(reactor: reactor).digest, payloadBytes: 0)
    return try writing { try $0.addSession(name, reactor, time, parent: nil, start: start) }
  }

  func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo {
    try writing { try $0.fork(parent, at: seq, named: name, created: time) }
  }

  func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    try writing {
      try $0.append(batch, to: session, expecting: version, schemaVersion: schemaVersion)
    }
  }

  func save(_ snapshot: Snapshot, of session: SessionID) throws {
    let writer = try current()
    do {
      try writer.save(snapshot, of: session)
    } catch {
      // Some errors, a full disk for one, undo more than their statement: then there is nothing left
      // to commit (sqlite.org/lang_transaction.html).
      if !writer.reader.connection.isInTransaction { failure = error }
      throw error
    }
  }

  private func writing<T>(_ body: (Writer) throws -> T) throws -> T {
    let writer = try current()
    let before = writer.reader.connection.changes
    do {
      return try writer.explainingConstraints { try body(writer) }
    } catch {
      if writer.reader.connection.changes != before { failure = error }
      throw error
    }
  }

  private func current() throws -> Writer {
    guard !isOver else { throw EventStoreError.closed }
    if let failure, !writer.reader.connection.isInTransaction { throw failure }
    return writer
  }
}

extension Writer {
  /// Nobody else writes, and the rules of an append have been held: what stands in the way of a new
  /// row all the same is not of a writer's making.
  fileprivate func explainingConstraints<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch EventStoreError.sqlite(let code, let message, _, _)
      where [SQLITE_CONSTRAINT, SQLITE_MISMATCH].contains(code & 0xff)
    {
      throw reader.damaged("what is there keeps a new row out: \(message)")
    }
  }

  fileprivate func addSession(
    _ name: SessionName, _ reactor: String, _ time: Timestamp, parent: SessionInfo.Parent?,
    start: LogPoint
  ) throws -> SessionInfo {
    guard try reader.session(named: name) == nil else {
      throw EventStoreError.sessionExists(name)
    }
    let id = try nextSessionID()
    try insert.session.run(
      .integer(Int64(id)), .text(name.rawValue), .text(reactor), .integer(time.microseconds),
      parent.map { .integer(Int64($0.session.rawValue)) } ?? .null,
      parent.map { .integer(Int64($0.seq.rawValue)) } ?? .null,
      .blob(start.digest.bytes), .integer(start.payloadBytes))
    return SessionInfo(
      id: SessionID(id), name: name, reactor: reactor, createdAt: time, parent: parent)
  }

  private func nextSessionID() throws -> Int32 {
    let newest = try reader.newestSessionID()
    guard let known = Int32(exactly: newest), known >= 0 else {
      throw reader.damaged("a session has the number \(newest)")
    }
    guard known < .max else { throw EventStoreError.storeFull }
    let next = known + 1
    if let table = try reader.tableKnowing(SessionID(next)) {
      throw reader.damaged(
        "the number of the next session, \(next), is taken: \(table) has rows of it")
    }
    return next
  }

  fileprivate func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo {
    let lineage = try reader.lineage(of: parent)
    try reader.requirePlace(seq, lineage)
    guard lineage.segments.count <= ForkLimits.generations else {
      throw EventStoreError.forkTooDeep(session: lineage.info.name.rawValue)
    }
    let fork = try addSession(
      name, lineage.info.reactor, time, parent: .init(session: parent, seq: seq),
      start: try reader.point(at: seq, lineage))
    for (cause, pending) in try reader.effectsOpen(at: seq, lineage) {
      try open(effectOf: cause, pending: pending, in: fork.id)
    }
    return fork
  }

  fileprivate func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    let lineage = try reader.lineage(of: session)
    let tail = try reader.tail(of: session)
    try reader.requireEnd(at: tail.version, lineage)
    let changes = try AppendValidation(
      batch, to: lineage.info.name.rawValue, expecting: version,
      schemaVersion: schemaVersion, tail: tail,
      context: LogContext(reader: reader, lineage: lineage))
    var chain = LogDigest(continuing: tail.digest)
    chain.append(contentsOf: batch)
    try insert.events.insert(batch, session)
    try insertDeliveries(of: batch, session)
    for cause in changes.ended {
      try insert.endEffect.run(
        .integer(Int64(session.rawValue)), .integer(Int64(cause.rawValue)))
    }
    for (cause, pending) in changes.opened {
      try open(effectOf: cause, pending: pending, in: session)
    }
    return try insertCommit(
      Commit(
        position: Position(0), session: session, firstSeq: batch.headers[0].seq,
        lastSeq: batch.headers[batch.count - 1].seq, schemaVersion: schemaVersion,
        digest: chain.digest),
      payloadBytes: tail.payloadBytes + Int64(batch.byteCount))
  }

  private func insertDeliveries(of batch: EventBatch, _ session: SessionID) throws {
    guard batch.hasDeliveries else { return }
    for (index, header) in batch.headers.enumerated() {
      guard let delivery = batch.delivery(at: index) else { continue }
      try insert.delivery.run(
        .integer(Int64(session.rawValue)), .text(delivery.id), .integer(Int64(header.seq.rawValue)),
        .blob(delivery.bodyDigest.bytes))
    }
  }

  private func insertCommit(_ commit: Commit, payloadBytes: Int64) throws -> Commit {
    let position = try insert.commit.first(
      .integer(Int64(commit.session.rawValue)), .integer(Int64(commit.firstSeq.rawValue)),
      .integer(Int64(commit.lastSeq.rawValue)), .integer(Int64(commit.schemaVersion)),
      .integer(payloadBytes), .blob(commit.digest.bytes)
    ) { $0.integer(0) }
    guard let position, CommitLimits.positions.contains(position) else {
      throw reader.damaged("the newest commit has a position that cannot be")
    }
    var commit = commit
    commit.position = Position(position)
    return commit
  }

  private func open(effectOf cause: Seq, pending: Seq, in session: SessionID) throws {
    try insert.openEffect.run(
      .integer(Int64(session.rawValue)), .integer(Int64(cause.rawValue)),
      .integer(Int64(pending.rawValue)))
  }
}

/// What the rules of an append ask of the log.
private struct LogContext: AppendContext {
  let reader: LogReader
  let lineage: Lineage

  func isAction(_ seq: Seq) throws -> Bool {
    try reader.header(at: seq, lineage).kind == .action
  }

  func hasOpenEffect(_ cause: Seq) throws -> Bool {
    try reader.hasOpenEffect(cause, in: lineage.info.id)
  }

  func hasDelivery(_ id: String) throws -> Bool {
    try reader.delivery(id, in: lineage.info.id) != nil
  }
}
