import EventStoreCore

extension EventBatch {
  /// The events that are told apart by kind and cause alone: seqs count on from `version`, each is
  /// recorded a microsecond after the one before.
  ///
  ///     EventBatch(after: .zero, [(.action, 0, "\"reset\""), (.mutation, 1, "{}")])
  public init(
    after version: Version, from microseconds: Int64 = 1_700_000_000_000_000,
    _ events: [(kind: EventKind, cause: UInt32, payload: String)]
  ) {
    self.init()
    for (index, event) in events.enumerated() {
      let seq = version.rawValue + UInt32(index) + 1
      append(
        EventHeader(
          seq: Seq(seq), kind: event.kind, cause: Seq(event.cause),
          recordedAt: Timestamp(microseconds: microseconds + Int64(seq))),
        payload: event.payload.utf8)
    }
  }

  /// `count` actions, each with a mutation that it caused.
  public init(actions count: Int, after version: Version, payload: String = "{\"add\":1}") {
    let first = version.rawValue
    self.init(
      after: version,
      (0..<UInt32(count)).flatMap { index in
        let action = first + 2 * index + 1
        return [(EventKind.action, UInt32(0), payload), (.mutation, action, payload)]
      })
  }
}

extension Delivery {
  /// A delivery of `id` whose body is `body`.
  public init(_ id: String, body: String = "body") {
    self.init(id: id, bodyDigest: SHA256.digest(of: body.utf8))
  }
}

extension EventStore {
  /// Creates a root session of the reactor `counter`.
  @discardableResult
  public func createSession(_ name: String, reactor: String = "counter") throws -> SessionID {
    let name = try SessionName(name)
    return try transaction {
      try $0.createSession(
        named: name, reactor: reactor, at: Timestamp(microseconds: 1_600_000_000_000_000))
    }.id
  }

  /// Forks `parent` at `seq`.
  @discardableResult
  public func fork(_ parent: SessionID, at seq: UInt32, named name: String) throws -> SessionID {
    let name = try SessionName(name)
    return try transaction {
      try $0.fork(
        parent, at: Seq(seq), named: name, created: Timestamp(microseconds: 1_650_000_000_000_000))
    }.id
  }

  /// Appends `batch` to the end of `session`.
  @discardableResult
  public func append(_ batch: EventBatch, to session: SessionID) throws -> Commit {
    try transaction {
      try $0.append(
        batch, to: session, expecting: try $0.tail(of: session).version, schemaVersion: 1)
    }
  }

  /// Appends events to the end of `session`.
  @discardableResult
  public func append(
    to session: SessionID, _ events: [(kind: EventKind, cause: UInt32, payload: String)]
  ) throws -> Commit {
    try append(EventBatch(after: try tail(of: session).version, events), to: session)
  }

  /// Every event of `session`, read page by page.
  public func allEvents(of session: SessionID) throws -> [Event] {
    var events: [Event] = []
    var page = EventBatch()
    repeat {
      try read(session, after: events.last?.header.seq ?? .zero, through: .max, into: &page)
      events += page.events
    } while !page.isEmpty
    return events
  }
}
