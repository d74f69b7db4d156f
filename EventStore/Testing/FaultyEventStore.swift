import EventStoreCore
import Synchronization

/// A store that fails where it is told to, and otherwise does what the one behind it does.
///
///     let store = FaultyEventStore(InMemoryEventStore()) { call in
///       call.operation == .transaction && call.number == 3 ? .after(.diskFull(path: "x")) : nil
///     }
public final class FaultyEventStore: EventStore {
  /// What a caller asks for.
  public enum Operation: Sendable, CaseIterable {
    /// Any question outside a transaction.
    case read
    /// `transaction`, and with it every append.
    case transaction
    /// `save` of a snapshot, also inside a transaction.
    case save
    /// `claimOwnership`.
    case claimOwnership
    /// `close`.
    case close
  }

  /// One call: the operation, and how many of its kind there were, this one included.
  public struct Call: Sendable {
    /// What was asked for.
    public var operation: Operation
    /// 1 for the first call of this operation.
    public var number: Int
  }

  /// How a call fails.
  public enum Fault: Sendable {
    /// Nothing of it happens.
    case before(EventStoreError)
    /// It happens, but the caller is told that it failed: as when a process dies between a commit
    /// and its acknowledgement.
    case after(EventStoreError)
  }

  private let store: any EventStore
  private let fault: @Sendable (Call) -> Fault?
  private let counts = Mutex<[Operation: Int]>([:])

  /// A store in front of `store`, whose calls fail as `fault` says; nil lets a call pass.
  public init(_ store: any EventStore, fault: @escaping @Sendable (Call) -> Fault?) {
    self.store = store
    self.fault = fault
  }

  /// A store in front of `store` in which a part `probability` of the transactions and snapshots
  /// fails, half of them after they happened. The same `seed` gives the same faults for the same
  /// calls in the same order.
  public convenience init(_ store: any EventStore, seed: UInt64, probability: Double) {
    let random = Mutex(SeededGenerator(seed: seed))
    self.init(store) { call in
      guard call.operation == .transaction || call.operation == .save else { return nil }
      return random.withLock { random in
        guard random.chance(probability) else { return nil }
        let error = EventStoreError.diskFull(path: "a store with faults of seed \(seed)")
        return random.chance(0.5) ? .before(error) : .after(error)
      }
    }
  }

  private func call<T>(_ operation: Operation, _ body: () throws -> T) throws -> T {
    let number = counts.withLock { counts in
      counts[operation, default: 0] += 1
      return counts[operation, default: 0]
    }
    switch fault(Call(operation: operation, number: number)) {
    case nil: return try body()
    case .before(let error): throw error
    case .after(let error):
      _ = try body()
      throw error
    }
  }

  /// As `EventStore.sessions()`.
  public func sessions() throws -> [SessionInfo] { try call(.read) { try store.sessions() } }

  /// As `EventStore.session(named:)`.
  public func session(named name: SessionName) throws -> SessionInfo? {
    try call(.read) { try store.session(named: name) }
  }

  /// As `EventStore.newestSession()`.
  public func newestSession() throws -> SessionInfo? {
    try call(.read) { try store.newestSession() }
  }

  /// As `EventStore.tail(of:)`.
  public func tail(of session: SessionID) throws -> Tail {
    try call(.read) { try store.tail(of: session) }
  }

  /// As `EventStore.read(_:after:through:payloads:into:)`.
  public func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice,
    into page: inout EventBatch
  ) throws {
    try call(.read) {
      try store.read(session, after: seq, through: last, payloads: payloads, into: &page)
    }
  }

  /// As `EventStore.commits(of:after:limit:)`.
  public func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    try call(.read) { try store.commits(of: session, after: seq, limit: limit) }
  }

  /// As `EventStore.digest(of:at:)`.
  public func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    try call(.read) { try store.digest(of: session, at: seq) }
  }

  /// As `EventStore.seq(of:at:)`.
  public func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    try call(.read) { try store.seq(of: session, at: time) }
  }

  /// As `EventStore.openEffects(of:)`.
  public func openEffects(of session: SessionID) throws -> [Event] {
    try call(.read) { try store.openEffects(of: session) }
  }

  /// As `EventStore.delivery(_:in:)`.
  public func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try call(.read) { try store.delivery(id, in: session) }
  }

  /// As `EventStore.snapshot(of:atOrBefore:foldID:)`.
  public func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? {
    try call(.read) { try store.snapshot(of: session, atOrBefore: seq, foldID: foldID) }
  }

  /// As `EventStore.nextSnapshot(of:after:)`.
  public func nextSnapshot(
    of session: SessionID, after place: SnapshotPlace?
  ) throws -> Snapshot? {
    try call(.read) { try store.nextSnapshot(of: session, after: place) }
  }

  /// As `EventStore.save(_:of:)`.
  public func save(_ snapshot: Snapshot, of session: SessionID) throws {
    try call(.save) { try store.save(snapshot, of: session) }
  }

  /// As `EventStore.transaction(_:)`.
  public func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T {
    try call(.transaction) {
      try store.transaction { inner in
        try body(FaultyTransaction(inner) { save in try self.call(.save, save) })
      }
    }
  }

  /// As `EventStore.claimOwnership()`.
  public func claimOwnership() throws -> any OwnerToken {
    try call(.claimOwnership) { try store.claimOwnership() }
  }

  /// As `EventStore.isAlive(_:)`.
  public func isAlive(_ owner: UInt64) throws -> Bool {
    try call(.read) { try store.isAlive(owner) }
  }

  /// As `EventStore.verify(_:report:)`.
  public func verify(
    _ session: SessionID?, report: @escaping (VerifyFinding) -> Void
  ) throws {
    try call(.read) { try store.verify(session, report: report) }
  }

  /// As `EventStore.close()`.
  public func close() throws { try call(.close) { try store.close() } }
}
