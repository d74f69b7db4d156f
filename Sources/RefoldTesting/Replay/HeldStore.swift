import Dispatch
import EventStoreCore

/// A store that lends what the one behind it has, and takes nothing: a transaction waits until
/// `release`, and then fails.
///
/// A session over it goes on deciding, and as nothing it decided becomes durable, none of the effects
/// that take time ever starts. So what `mutate` answers can be seen without any of it happening.
final class HeldStore: EventStore {
  /// What every transaction ends with.
  struct Released: Error {}

  private let store: InMemoryEventStore
  private let gate = DispatchSemaphore(value: 0)

  init(_ store: InMemoryEventStore) { self.store = store }

  /// Lets the transactions that wait, and all later ones, fail.
  func release() { gate.signal() }

  func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T {
    gate.wait()
    gate.signal()
    throw Released()
  }

  func sessions() throws -> [SessionInfo] { try store.sessions() }

  func session(named name: SessionName) throws -> SessionInfo? { try store.session(named: name) }

  func newestSession() throws -> SessionInfo? { try store.newestSession() }

  func tail(of session: SessionID) throws -> Tail { try store.tail(of: session) }

  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try store.read(session, after: seq, through: last, into: &page)
  }

  func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    try store.commits(of: session, after: seq, limit: limit)
  }

  func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    try store.digest(of: session, at: seq)
  }

  func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    try store.seq(of: session, at: time)
  }

  func openEffects(of session: SessionID) throws -> [Event] {
    try store.openEffects(of: session)
  }

  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try store.delivery(id, in: session)
  }

  func snapshot(of session: SessionID, atOrBefore seq: Seq, foldID: String) throws -> Snapshot? {
    try store.snapshot(of: session, atOrBefore: seq, foldID: foldID)
  }

  func snapshots(of session: SessionID) throws -> [Snapshot] {
    try store.snapshots(of: session)
  }

  func save(_ snapshot: Snapshot, of session: SessionID) throws { throw Released() }

  func claimOwnership() throws -> any OwnerToken { try store.claimOwnership() }

  func isAlive(_ owner: UInt64) throws -> Bool { try store.isAlive(owner) }

  func close() throws { try store.close() }
}
