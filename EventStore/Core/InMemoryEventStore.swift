import Synchronization

/// A store that lives as long as its process: the reference that every other store is held to, and
/// what tests and previews use.
///
/// Simple and obviously right before fast: a transaction works on a copy of the state, which
/// replaces the state when it is over. An append costs O(commits of its session).
public final class InMemoryEventStore: EventStore {
  /// How long a transaction waits for others, in seconds.
  public let patience: Double

  private let writers = TurnLock()
  /// What readers see; nil once closed.
  private let state = Mutex<InMemoryState?>(InMemoryState())
  private let number: @Sendable () -> UInt64
  private let owners = Mutex<Set<UInt64>>([])

  /// An empty store. `patience` is how many seconds a transaction waits for others.
  public convenience init(patience: Double = 10) {
    self.init(patience: patience) { OwnerNumbers.random() }
  }

  /// As above, with the numbers of owners that `number` gives, for a run that is to be repeated.
  package init(patience: Double = 10, owners number: @escaping @Sendable () -> UInt64) {
    self.patience = patience
    self.number = number
  }

  /// As `EventStore.sessions()`.
  public func sessions() throws -> [SessionInfo] { try current().logs.map(\.info) }

  /// As `EventStore.session(named:)`.
  public func session(named name: SessionName) throws -> SessionInfo? {
    try current().session(named: name)
  }

  /// As `EventStore.newestSession()`.
  public func newestSession() throws -> SessionInfo? {
    let state = try current()
    guard let session = state.newestCommit else { return state.logs.last?.info }
    return try state.log(of: session).info
  }

  /// As `EventStore.tail(of:)`.
  public func tail(of session: SessionID) throws -> Tail { try current().tail(of: session) }

  /// As `EventStore.read(_:after:through:payloads:into:)`.
  public func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice,
    into page: inout EventBatch
  ) throws {
    try current().read(session, after: seq, through: last, payloads: payloads, into: &page)
  }

  /// As `EventStore.commits(of:after:limit:)`.
  public func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit] {
    let state = try current()
    let all = try state.commits(of: session)
    return Array(all.lazy.filter { $0.lastSeq > seq }.prefix(max(0, limit)))
  }

  /// As `EventStore.digest(of:at:)`.
  public func digest(of session: SessionID, at seq: Seq) throws -> Digest {
    try current().digest(of: session, at: seq)
  }

  /// As `EventStore.seq(of:at:)`.
  public func seq(of session: SessionID, at time: Timestamp) throws -> Seq {
    let state = try current()
    var found = Seq.zero
    try state.forEachEvent(of: session) { event in
      if event.header.recordedAt <= time { found = event.header.seq }
    }
    return found
  }

  /// As `EventStore.openEffects(of:)`.
  public func openEffects(of session: SessionID) throws -> [Event] {
    try current().openEffects(of: session)
  }

  /// As `EventStore.delivery(_:in:)`.
  public func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery? {
    try current().delivery(id, in: session)
  }

  /// As `EventStore.snapshot(of:atOrBefore:foldID:)`.
  public func snapshot(
    of session: SessionID, atOrBefore seq: Seq, foldID: String
  ) throws -> Snapshot? {
    try current().snapshots(of: session).last {
      $0.seq <= seq && $0.foldID.utf8.elementsEqual(foldID.utf8)
    }
  }

  /// As `EventStore.nextSnapshot(of:after:)`.
  public func nextSnapshot(
    of session: SessionID, after place: SnapshotPlace?
  ) throws -> Snapshot? {
    try current().snapshots(of: session).first { snapshot in
      place.map { $0 < snapshot.place } ?? true
    }
  }

  /// As `EventStore.save(_:of:)`.
  public func save(_ snapshot: Snapshot, of session: SessionID) throws {
    try write { state in try state.save(snapshot, of: session) }
  }

  /// As `EventStore.transaction(_:)`.
  public func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T {
    try write { state in
      let transaction = InMemoryTransaction(state)
      defer { transaction.isOver = true }
      let result = try body(transaction)
      state = transaction.state
      return result
    }
  }

  /// As `EventStore.claimOwnership()`; known in this process only.
  public func claimOwnership() throws -> any OwnerToken {
    _ = try current()
    let owner = owners.withLock { owners in
      while true {
        let owner = number()
        if owners.insert(owner).inserted { return owner }
      }
    }
    return InMemoryOwnerToken(owner, of: self)
  }

  /// As `EventStore.isAlive(_:)`.
  public func isAlive(_ owner: UInt64) throws -> Bool {
    _ = try current()
    return owners.withLock { $0.contains(owner) }
  }

  /// As `EventStore.close()`.
  public func close() throws {
    try writers.withLock(seconds: patience, orThrow: locked) { state.withLock { $0 = nil } }
  }

  fileprivate func release(_ owner: UInt64) { owners.withLock { _ = $0.remove(owner) } }

  private var locked: EventStoreError { .locked(path: "the store in memory", seconds: patience) }

  private func current() throws -> InMemoryState {
    guard let state = state.withLock({ $0 }) else { throw EventStoreError.closed }
    return state
  }

  private func write<T>(_ body: (inout InMemoryState) throws -> T) throws -> T {
    try writers.withLock(seconds: patience, orThrow: locked) {
      var next = try current()
      let result = try body(&next)
      let written = next
      state.withLock { $0 = written }
      return result
    }
  }
}

/// The numbers of owners: random, so that none is met again; below 2^53, so that every JSON reader
/// keeps them exact.
package enum OwnerNumbers {
  /// Above what a lock file holds, below 2^53.
  package static let range: Range<UInt64> = (1 << 20)..<(1 << 53)

  /// A number that nobody has had, in all probability.
  package static func random() -> UInt64 { .random(in: range) }
}

private final class InMemoryOwnerToken: OwnerToken {
  let owner: UInt64
  private let store: InMemoryEventStore

  init(_ owner: UInt64, of store: InMemoryEventStore) {
    self.owner = owner
    self.store = store
  }

  deinit { store.release(owner) }
}
