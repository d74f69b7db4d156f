import EventStoreCore

/// A transaction whose saving of snapshots fails where its store is told to.
struct FaultyTransaction: EventStoreTransaction {
  private let inner: any EventStoreTransaction
  private let saving: (() throws -> Void) throws -> Void

  init(_ inner: any EventStoreTransaction, saving: @escaping (() throws -> Void) throws -> Void) {
    self.inner = inner
    self.saving = saving
  }

  func session(named name: SessionName) throws -> SessionInfo? { try inner.session(named: name) }

  func tail(of session: SessionID) throws -> Tail { try inner.tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try inner.read(session, after: seq, through: last, into: &page)
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try inner.delivery(id, in: session)
  }

  func openEffects(of session: SessionID) throws -> [Event] {
    try inner.openEffects(of: session)
  }

  func createSession(
    named name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo {
    try inner.createSession(named: name, reactor: reactor, at: time)
  }

  func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo {
    try inner.fork(parent, at: seq, named: name, created: time)
  }

  func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    try inner.append(batch, to: session, expecting: version, schemaVersion: schemaVersion)
  }

  func save(_ snapshot: Snapshot, of session: SessionID) throws {
    try saving { try inner.save(snapshot, of: session) }
  }
}
