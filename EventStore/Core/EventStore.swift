/// A store of sessions: append-only logs of events, known as bytes.
///
/// Every call blocks until it is done, so call from a thread or queue that may block, never from
/// the cooperative pool. All calls may come from any thread. Reads see whole commits only.
public protocol EventStore: AnyObject, Sendable {
  /// Every session, oldest first.
  func sessions() throws -> [SessionInfo]

  /// The session called `name`, or nil.
  func session(named name: SessionName) throws -> SessionInfo?

  /// The session of the newest commit, else the newest session; nil in an empty store.
  func newestSession() throws -> SessionInfo?

  /// Where the log of `session` ends.
  /// - Throws: `EventStoreError.noSuchSession`.
  func tail(of session: SessionID) throws -> Tail

  /// Replaces the content of `page` by the next events of `session` after `seq`, up to and
  /// including `last` and as many as a page holds; leaves it empty when there are none. Inherited
  /// events of a fork are included, and deliveries where the session has any.
  ///
  /// The payloads that `payloads` leaves out are empty, and fill no page. No transaction stays open
  /// between two pages.
  /// - Complexity: O(log n + k) for k events.
  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, payloads: PayloadChoice,
    into page: inout EventBatch) throws

  /// The commits that hold events of `session` after `seq`, oldest first, at most `limit`; for a
  /// fork those of its ancestors too, up to where each was forked.
  func commits(of session: SessionID, after seq: Seq, limit: Int) throws -> [Commit]

  /// The digest of the log of `session` up to `seq`.
  /// - Throws: `EventStoreError.noSuchEvent` beyond the end.
  /// - Complexity: O(log n), plus the events of one commit that lie before `seq`.
  func digest(of session: SessionID, at seq: Seq) throws -> Digest

  /// The last seq of `session` recorded at or before `time`; `Seq.zero` before the first.
  /// - Complexity: O(log n).
  func seq(of session: SessionID, at time: Timestamp) throws -> Seq

  /// The newest pending event of each effect of `session` that has not ended, oldest first: the
  /// header's cause is the action, the payload names the owner.
  func openEffects(of session: SessionID) throws -> [Event]

  /// The recorded delivery of `id` and the seq of its action, or nil; inherited ones included.
  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery?

  /// The newest snapshot of `session` at or before `seq` made by `foldID`, or nil.
  func snapshot(of session: SessionID, atOrBefore seq: Seq, foldID: String) throws -> Snapshot?

  /// The snapshot of `session` that comes next behind `place`, in the order of places; the first one
  /// behind nil, nil behind the last. A fork's are those of its ancestors too, up to where each was
  /// forked; of several at one place the youngest session's.
  ///
  /// So all of them can be looked at in the memory of one.
  func nextSnapshot(of session: SessionID, after place: SnapshotPlace?) throws -> Snapshot?

  /// Keeps `snapshot`, replacing one of the same seq and fold.
  func save(_ snapshot: Snapshot, of session: SessionID) throws

  /// Runs `body` alone among the writers of this store, those of other processes included, and
  /// makes what it appended durable, all of it or, where `body` throws, nothing.
  ///
  /// - Throws: what `body` throws; `EventStoreError.locked` when other writers held the store for
  ///   longer than the store's patience; `EventStoreError` of I/O when it could not be made durable.
  func transaction<T>(_ body: (any EventStoreTransaction) throws -> T) throws -> T

  /// Holds the store, or the log of `session` and its ancestors, to its digests and to the rules of
  /// an append, and hands `report` whatever is not as it was written.
  ///
  /// A cut tail leaves a valid log: compare `tail(of:).digest` with one noted elsewhere.
  /// - Throws: `EventStoreError.noSuchSession`; I/O errors. Damage is reported, not thrown.
  /// - Complexity: O(n) for n events, in constant memory.
  func verify(_ session: SessionID?, report: @escaping (VerifyFinding) -> Void) throws

  /// Takes a lock that lives as long as the token, by which other processes tell that effects of
  /// this owner are still running.
  func claimOwnership() throws -> any OwnerToken

  /// Whether somebody, in this process or another, holds the token of `owner`.
  func isAlive(_ owner: UInt64) throws -> Bool

  /// Waits for running calls, and releases files and locks. Calls after it throw.
  func close() throws
}

/// Whose payloads a reader wants: a fold needs no other than those that it folds.
public enum PayloadChoice: Sendable, CaseIterable {
  /// Those of all events.
  case all
  /// Those of mutations.
  case mutations

  /// Whether the payload of an event of `kind` is wanted.
  @inlinable
  public func includes(_ kind: EventKind) -> Bool { self == .all || kind == .mutation }
}

/// The seq of the action that a delivery brought, and what it was.
public struct RecordedDelivery: Hashable, Sendable {
  /// The action's seq.
  public var seq: Seq
  /// The delivery that brought it.
  public var delivery: Delivery

  /// A recorded delivery of these parts.
  public init(seq: Seq, delivery: Delivery) {
    self.seq = seq
    self.delivery = delivery
  }
}

/// The proof that an owner of pending effects is alive. Releases its lock when it is deinitialized.
public protocol OwnerToken: AnyObject, Sendable {
  /// The number written into the payload of the owner's pending events: below 2^53, so that every
  /// JSON reader keeps it exact.
  var owner: UInt64 { get }
}

/// What can be written, and read in the same breath, inside `EventStore.transaction`.
///
/// Valid only during the body that it was handed to.
public protocol EventStoreTransaction {
  /// As `EventStore.session(named:)`, seeing this transaction's own writes.
  func session(named name: SessionName) throws -> SessionInfo?

  /// As `EventStore.tail(of:)`, seeing this transaction's own writes.
  func tail(of session: SessionID) throws -> Tail

  /// As `EventStore.read`, seeing this transaction's own writes.
  func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch) throws

  /// As `EventStore.delivery(_:in:)`, seeing this transaction's own writes.
  func delivery(_ id: String, in session: SessionID) throws -> RecordedDelivery?

  /// As `EventStore.openEffects(of:)`, seeing this transaction's own writes.
  func openEffects(of session: SessionID) throws -> [Event]

  /// Creates a root session.
  /// - Throws: `EventStoreError.sessionExists`.
  func createSession(
    named name: SessionName, reactor: String, at time: Timestamp
  ) throws -> SessionInfo

  /// Creates a session that shares the past of `parent` up to and including `seq`.
  /// - Throws: `EventStoreError.sessionExists`, `.noSuchEvent` beyond the parent's end.
  func fork(
    _ parent: SessionID, at seq: Seq, named name: SessionName, created time: Timestamp
  ) throws -> SessionInfo

  /// Appends `batch` as one commit. A pending event of an effect that is open takes it over, as a
  /// process does that retries what another one left.
  ///
  /// - Throws: `EventStoreError.versionConflict` when the session's version is not `version`;
  ///   `.invalidAppend` when seqs are not the next ones, times go back, a cause is not an earlier
  ///   action or zero, a completed or cancelled has no pending effect, or a delivery stands on no
  ///   action or is there already, or `schemaVersion` is not one of `CommitLimits.schemaVersions`;
  ///   `.sessionFull` beyond `Seq.max`.
  @discardableResult
  func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit

  /// As `EventStore.save(_:of:)`, together with what this transaction appends: it takes no write to
  /// the disk of its own. Where it throws, the snapshot is left out, and the transaction may go on.
  func save(_ snapshot: Snapshot, of session: SessionID) throws
}

extension EventStore {
  /// Verifies through the other calls of the protocol.
  public func verify(
    _ session: SessionID?, report: @escaping (VerifyFinding) -> Void
  ) throws {
    try verifyLogs(session, report: report)
  }

  /// Appends `batch` as one commit in a transaction of its own.
  /// - Throws: as `EventStoreTransaction.append`.
  @discardableResult
  public func append(
    _ batch: EventBatch, to session: SessionID, expecting version: Version, schemaVersion: Int
  ) throws -> Commit {
    try transaction {
      try $0.append(batch, to: session, expecting: version, schemaVersion: schemaVersion)
    }
  }

  /// Every snapshot of `session`, in the order of their places.
  /// - Complexity: all states in memory at once; `nextSnapshot(of:after:)` needs that of one.
  public func snapshots(of session: SessionID) throws -> [Snapshot] {
    var found: [Snapshot] = []
    while let next = try nextSnapshot(of: session, after: found.last?.place) { found.append(next) }
    return found
  }

  /// As `read(_:after:through:payloads:into:)`, with all payloads.
  public func read(
    _ session: SessionID, after seq: Seq, through last: Seq, into page: inout EventBatch
  ) throws {
    try read(session, after: seq, through: last, payloads: .all, into: &page)
  }
}
