import EventStoreCore

extension SQLiteEventStore {
  /// As `EventStore.sessions()`.
  public func sessions() throws -> [SessionInfo] { try readers.withReader { try $0.sessions() } }

  /// As `EventStore.session(named:)`.
  public func session(named name: SessionName) throws -> SessionInfo? {
    try readers.withReader { try $0.session(named: name) }
  }

  /// As `EventStore.newestSession()`.
  public func newestSession() throws -> SessionInfo? {
    try readers.withReader { try $0.newestSession() }
  }

  /// As `EventStore.tail(of:)`.
  public func tail(of session: SessionID) throws -> Tail {
    try readers.withReader { try $0.tail(of: session) }
  }

  /// As `EventStore.read(_:after:through:payloads:into:)`.
  public func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice,
    into page: inout EventBatch
  ) throws {
    try readers.withReader {
      try $0.read(session, after: seq, through: last, payloads: payloads, into: &page)
    }
  }

  /// As `EventStore.commits(of:after:limit:)`.
  public func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    try readers.withReader { try $0.commits(of: session, after: seq, limit: limit) }
  }

  /// As `EventStore.digest(of:at:)`.
  public func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    try readers.withReader { reader in
      let lineage = try reader.lineage(of: session)
      try reader.requirePlace(seq, lineage)
      return try reader.point(at: seq, lineage).digest
    }
  }

  /// As `EventStore.seq(of:at:)`.
  public func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    try readers.withReader { try $0.seq(of: session, at: time) }
  }

  /// As `EventStore.openEffects(of:)`.
  public func openEffects(of session: SessionID) throws -> [Event] {
    try readers.withReader { try $0.openEffects(of: session) }
  }

  /// As `EventStore.delivery(_:in:)`.
  public func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try readers.withReader { try $0.delivery(id, in: session) }
  }
}
