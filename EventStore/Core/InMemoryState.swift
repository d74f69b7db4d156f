/// All that an `InMemoryEventStore` holds, as a value.
struct InMemoryState: Sendable {
  /// One session, without what it inherits.
  struct Log: Sendable {
    var info: SessionInfo
    /// Where the log begins: the tail that a fork inherits, or that of an empty root session.
    var start: Tail
    var commits = InMemoryCommits()
    /// The action of each open effect and its newest pending event, inherited ones included.
    var openEffects: [Seq: Seq] = [:]
    /// By the bytes of the id.
    var deliveries: [[UInt8]: RecordedDelivery] = [:]
    /// In the order in which they were saved.
    var snapshots: [Snapshot] = []
  }

  /// The log of session n at n - 1.
  private(set) var logs: [Log] = []
  private var position: Int64 = 0
  private(set) var newestCommit: SessionID?

  func log(of session: SessionID) throws -> Log { try logs[index(of: session)] }

  func session(named name: SessionName) -> SessionInfo? {
    logs.first { $0.info.name == name }?.info
  }

  /// The logs whose events make up `session`, oldest first, each with the last seq that is shared.
  private func lineage(of session: SessionID) throws -> [(log: Log, through: Seq)] {
    var parts: [(log: Log, through: Seq)] = []
    var (next, through) = (session, Seq.max)
    while true {
      let log = try log(of: next)
      parts.append((log, through))
      guard let parent = log.info.parent else { return parts.reversed() }
      through = min(through, parent.seq)
      next = parent.session
    }
  }

  func tail(of session: SessionID) throws -> Tail {
    let log = try log(of: session)
    guard let last = log.commits.last, let event = last.events.headers.last else {
      return log.start
    }
    return Tail(
      version: event.seq, recordedAt: event.recordedAt, digest: last.commit.digest,
      payloadBytes: last.payloadBytes)
  }

  /// The log as it was after `seq`.
  func tail(of session: SessionID, at seq: Seq) throws -> Tail {
    let last = try tail(of: session).version
    guard seq <= last else {
      throw EventStoreError.noSuchEvent(
        session: try log(of: session).info.name.rawValue, seq: seq, last: last)
    }
    let info = try log(of: session).info
    var chain = LogDigest(reactor: info.reactor)
    var (time, bytes) = (info.createdAt, Int64(0))
    try forEachEvent(of: session) { event in
      guard event.header.seq <= seq else { return }
      chain.append(event)
      time = event.header.recordedAt
      bytes += Int64(event.payload.count)
    }
    return Tail(version: seq, recordedAt: time, digest: chain.digest, payloadBytes: bytes)
  }

  func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    for (log, through) in try lineage(of: session) where seq <= through {
      let holding = log.commits.from(seq).first { _ in true }
      if let commit = holding?.commit, commit.lastSeq == seq { return commit.digest }
    }
    return try tail(of: session, at: seq).digest
  }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice = .all,
    into page: inout EventBatch
  ) throws {
    page.removeAll()
    for (log, through) in try lineage(of: session) {
      guard let next = seq.advanced(by: 1) else { return }
      for entry in log.commits.from(next) {
        let events = entry.events
        if entry.commit.firstSeq > min(through, last) { break }
        for index in events.headers.indices {
          let place = events.headers[index].seq
          guard place > seq, place <= min(through, last) else { continue }
          if page.isFull { return }
          var event = events[index]
          if !payloads.includes(event.header.kind) { event.payload = [] }
          page.append(event)
        }
      }
    }
  }

  func forEachEvent(of session: SessionID, _ body: (Event) throws -> Void) throws {
    for (log, through) in try lineage(of: session) {
      for entry in log.commits.all {
        for event in entry.events.events where event.header.seq <= through { try body(event) }
      }
    }
  }

  func event(_ seq: Seq, of session: SessionID) throws -> Event {
    var page = EventBatch()
    if let before = seq.advanced(by: -1) {
      try read(session, after: before, through: seq, into: &page)
    }
    guard !page.isEmpty else {
      throw EventStoreError.noSuchEvent(
        session: try log(of: session).info.name.rawValue, seq: seq,
        last: try tail(of: session).version)
    }
    return page[0]
  }

  func commits(of session: SessionID) throws -> [Commit] {
    try lineage(of: session).flatMap { log, through in
      try log.commits.all.compactMap { entry in
        var commit = entry.commit
        guard commit.firstSeq <= through else { return nil }
        if commit.lastSeq > through {
          commit.lastSeq = through
          commit.digest = try digest(of: session, at: through)
        }
        return commit
      }
    }
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    let key = Array(id.utf8)
    for (log, through) in try lineage(of: session) {
      if let found = log.deliveries[key], found.seq <= through { return found }
    }
    return nil
  }

  func openEffects(of session: SessionID) throws -> [Event] {
    try log(of: session).openEffects.values.sorted().map { try event($0, of: session) }
  }

  func snapshots(of session: SessionID) throws -> [Snapshot] {
    var found: [Snapshot] = []
    for (log, through) in try lineage(of: session) {
      for snapshot in log.snapshots where snapshot.seq <= through {
        found.removeAll { $0.place == snapshot.place }
        found.append(snapshot)
      }
    }
    return found.sorted { $0.place < $1.place }
  }
}

extension InMemoryState {
  mutating func save(_ snapshot: Snapshot, of session: SessionID) throws {
    let last = try tail(of: session).version
    let index = try index(of: session)
    guard snapshot.seq <= last else {
      throw EventStoreError.noSuchEvent(
        session: logs[index].info.name.rawValue, seq: snapshot.seq, last: last)
    }
    var kept = logs[index].snapshots.filter { $0.place != snapshot.place }
    let others = kept.indices.filter { kept[$0].foldID != snapshot.foldID }
    for old in others.dropLast(SnapshotLimits.ofOtherFolds).reversed() { kept.remove(at: old) }
    logs[index].snapshots = kept + [snapshot]
  }

  mutating func create(
    _ name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo {
    let start = Tail(
      version: .zero, recordedAt: time, digest: LogDigest(reactor: reactor).digest,
      payloadBytes: 0)
    return try add(name, reactor, time, parent: nil, start: start, openEffects: [:])
  }

  mutating func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo {
    var start = try tail(of: parent, at: seq)
    guard try lineage(of: parent).count <= ForkLimits.generations else {
      throw EventStoreError.forkTooDeep(session: try log(of: parent).info.name.rawValue)
    }
    if seq == .zero { start.recordedAt = time }
    var open: [Seq: Seq] = [:]
    try forEachEvent(of: parent) { event in
      guard event.header.seq <= seq else { return }
      if event.header.kind == .pending { open[event.header.cause] = event.header.seq }
      if event.header.kind.endsEffect { open[event.header.cause] = nil }
    }
    return try add(
      name, try log(of: parent).info.reactor, time, parent: .init(session: parent, seq: seq),
      start: start, openEffects: open)
  }

  private mutating func add(
    _ name: SessionName, _ reactor: String, _ time: Timestamp, parent: SessionInfo.Parent?,
    start: Tail, openEffects: [Seq: Seq]
  ) throws -> SessionInfo {
    guard session(named: name) == nil else { throw EventStoreError.sessionExists(name) }
    guard let id = Int32(exactly: logs.count + 1) else { throw EventStoreError.storeFull }
    let info = SessionInfo(
      id: SessionID(id), name: name, reactor: reactor, createdAt: time, parent: parent)
    logs.append(Log(info: info, start: start, openEffects: openEffects))
    return info
  }

  mutating func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    let index = try index(of: session)
    let tail = try tail(of: session)
    let changes = try AppendValidation(
      batch, to: logs[index].info.name.rawValue, expecting: version,
      schemaVersion: schemaVersion, tail: tail, context: Context(state: self, session: session))
    var chain = LogDigest(continuing: tail.digest)
    chain.append(contentsOf: batch)
    position += 1
    newestCommit = session
    let commit = Commit(
      position: Position(position), session: session, firstSeq: batch.headers[0].seq,
      lastSeq: batch.headers[batch.count - 1].seq, schemaVersion: schemaVersion,
      digest: chain.digest)
    let bytes = tail.payloadBytes + Int64(batch.byteCount)
    logs[index].commits.append(.init(commit, batch, payloadBytes: bytes))
    for cause in changes.ended { logs[index].openEffects[cause] = nil }
    logs[index].openEffects.merge(changes.opened) { _, new in new }
    for (place, header) in batch.headers.enumerated() {
      guard let delivery = batch.delivery(at: place) else { continue }
      logs[index].deliveries[Array(delivery.id.utf8)] = .init(seq: header.seq, delivery: delivery)
    }
    return commit
  }

  private func index(of session: SessionID) throws -> Int {
    let index = Int(session.rawValue) - 1
    guard logs.indices.contains(index) else {
      throw EventStoreError.noSuchSession("number \(session.rawValue)")
    }
    return index
  }

  private struct Context: AppendContext {
    let state: InMemoryState
    let session: SessionID

    func isAction(_ seq: Seq) throws -> Bool {
      try state.event(seq, of: session).header.kind == .action
    }
    func hasOpenEffect(_ cause: Seq) throws -> Bool {
      try state.log(of: session).openEffects[cause] != nil
    }
    func hasDelivery(_ id: String) throws -> Bool {
      try state.delivery(id, in: session) != nil
    }
  }
}

/// What the body of `InMemoryEventStore.transaction` works on: a copy of the state.
final class InMemoryTransaction: EventStoreTransaction {
  var state: InMemoryState
  var isOver = false

  init(_ state: InMemoryState) { self.state = state }

  func session(named name: SessionName) throws -> SessionInfo? {
    try current().session(named: name)
  }

  func tail(of session: SessionID) throws -> Tail { try current().tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try current().read(session, after: seq, through: last, into: &page)
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try current().delivery(id, in: session)
  }

  func openEffects(of session: SessionID) throws -> [Event] {
    try current().openEffects(of: session)
  }

  func createSession(
    named name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo {
    _ = try current()
    return try state.create(name, reactor: reactor, at: time)
  }

  func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo {
    _ = try current()
    return try state.fork(parent, at: seq, named: name, created: time)
  }

  func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    _ = try current()
    return try state.append(
      batch, to: session, expecting: version, schemaVersion: schemaVersion)
  }

  func save(_ snapshot: Snapshot, of session: SessionID) throws {
    _ = try current()
    try state.save(snapshot, of: session)
  }

  private func current() throws -> InMemoryState {
    guard !isOver else { throw EventStoreError.closed }
    return state
  }
}

extension Array {
  /// The first index whose element meets `condition`, given that all behind it do too.
  func partitioningIndex(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
