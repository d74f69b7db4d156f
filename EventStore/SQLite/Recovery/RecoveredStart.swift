import EventStoreCore

/// Where a session's own log begins: its name, its reactor, and the digest that its chain starts with,
/// found out also where its row in the list of sessions is damaged or lost.
struct RecoveredStart {
  var name: SessionName
  var reactor: String?
  var createdAt: Timestamp
  /// Where it was forked from in the new store.
  var parent: SessionInfo.Parent?
  var seq: Seq
  /// nil where it is lost.
  var digest: Digest?
  /// Whether a session of the new store can begin there.
  var isSound: Bool
  /// Whether it is sure that there was a session of this name.
  var isNamed = false
  var notes: [String] = []
}

/// Finds the starts of sessions.
final class StartSearch {
  /// Sessions that a fork without a row may come from.
  private static let parentsTried = 1000

  private let store: any EventStore
  private let reactors: [String]
  /// The sessions of the new store by their old numbers, oldest first.
  private var sessions: [(old: SessionID, new: SessionInfo)] = []
  private var byOldNumber: [SessionID: SessionInfo] = [:]

  /// - Parameter reactors: names that a session's reactor may have.
  init(in store: any EventStore, reactors: [String]) {
    (self.store, self.reactors) = (store, reactors)
  }

  /// Takes note of a session that is in the new store.
  func note(_ old: SessionID, _ new: SessionInfo) {
    byOldNumber[old] = new
    sessions.append((old, new))
  }

  /// The start of the log `log`.
  func start(of log: FoundLog) throws -> RecoveredStart {
    guard let row = try log.sessionRows().first else { return try startWithoutRow(log) }
    var start = RecoveredStart(
      name: try freeName(row.info.name, log.session), reactor: row.info.reactor,
      createdAt: row.info.createdAt, seq: row.start.seq, digest: row.start.digest, isSound: false)
    start.isNamed = row.isWhole && start.name == row.info.name
    if start.name != row.info.name { start.notes.append("its name was lost") }
    if !row.isWhole {
      start.notes.append("its row was altered: the name or the time of creation may be wrong")
    }
    if let parent = row.info.parent {
      try findParent(parent, row, &start)
    } else {
      try findReactor(log, row, &start)
    }
    return start
  }

  private func startWithoutRow(_ log: FoundLog) throws -> RecoveredStart {
    let first = try log.firstSeq() ?? Seq(1)
    var start = RecoveredStart(
      name: try freeName(nil, log.session), createdAt: Timestamp(microseconds: 0),
      seq: first.previous, isSound: false, notes: ["its name and its time of creation were lost"])
    try log.events(after: first.previous, through: first) { start.createdAt = $0.header.recordedAt }
    if first == Seq(1) {
      try findReactor(log, nil, &start)
    } else {
      try guessParent(log, &start)
    }
    return start
  }

  /// A root's chain starts with the digest of its reactor's name.
  private func findReactor(
    _ log: FoundLog, _ row: FoundSession?, _ start: inout RecoveredStart
  ) throws {
    if let row, LogDigest(reactor: row.info.reactor).digest == row.start.digest {
      start.isSound = true
      return
    }
    for reactor in (row.map { [$0.info.reactor] } ?? []) + reactors {
      let digest = LogDigest(reactor: reactor).digest
      guard try digest == row?.start.digest || begins(log, after: .zero, with: digest) else {
        continue
      }
      (start.reactor, start.digest, start.isSound) = (reactor, digest, true)
      start.notes.append("the name of its reactor was damaged; the digests prove it is \(reactor)")
      return
    }
    start.reactor = nil
    start.notes.append("its reactor could not be told, so it has no session in the new store")
  }

  private func findParent(
    _ parent: SessionInfo.Parent, _ row: FoundSession, _ start: inout RecoveredStart
  ) throws {
    let named = byOldNumber[parent.session].map { [$0] } ?? []
    let others = row.isWhole ? [] : sessions.prefix(Self.parentsTried).map(\.new)
    for session in named + others
    where try digest(of: session, at: parent.seq) == row.start.digest {
      start.parent = .init(session: session.id, seq: parent.seq)
      (start.reactor, start.isSound) = (session.reactor, true)
      return
    }
    start.notes.append(
      "what it shares with the session that it was forked from is not whole, so it has no session "
        + "in the new store")
  }

  /// Looks for the session whose log, up to where this one begins, goes on as this one does.
  private func guessParent(_ log: FoundLog, _ start: inout RecoveredStart) throws {
    for (_, session) in sessions.prefix(Self.parentsTried) {
      guard let digest = try digest(of: session, at: start.seq),
        try begins(log, after: start.seq, with: digest)
      else { continue }
      start.parent = .init(session: session.id, seq: start.seq)
      (start.reactor, start.digest, start.isSound) = (session.reactor, digest, true)
      return
    }
    start.notes.append("its beginning was lost, so it has no session in the new store")
  }

  private func digest(of session: SessionInfo, at seq: Seq) throws -> Digest? {
    guard try store.tail(of: session.id).version >= seq else { return nil }
    return try store.digest(of: session.id, at: seq)
  }

  /// Whether the first commit of `log` is the continuation of `digest`.
  private func begins(_ log: FoundLog, after seq: Seq, with digest: Digest) throws -> Bool {
    guard let claims = try log.claims(after: seq) else { return false }
    var chain = LogDigest(continuing: digest)
    try log.events(after: seq, through: claims.last) {
      chain.append($0.header, deliveryID: $0.delivery?.id, payload: $0.payload.bytes)
    }
    return claims.commit(with: chain.digest) != nil
  }

  /// `wanted`, or a name for session `number` that nobody has.
  private func freeName(_ wanted: SessionName?, _ number: SessionID) throws -> SessionName {
    if let wanted, try store.session(named: wanted) == nil { return wanted }
    var suffix = ""
    while true {
      let name = try SessionName("recovered-\(number.rawValue)\(suffix)")
      if try store.session(named: name) == nil { return name }
      suffix += "+"
    }
  }
}
