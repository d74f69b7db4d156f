import EventStoreCore

/// Writes the proven events of one session to the new store, in the commits that they were in.
struct RecoveredLog {
  /// The session in the new store; nil for none. One whose name is not sure is made with its first
  /// events: a row that was altered may be of no session at all.
  private(set) var session: SessionInfo?
  /// As far as it was written.
  private(set) var version: Version
  /// Whether the new store can have such a session.
  var mayWrite: Bool { start.isSound && start.reactor != nil }

  private let start: RecoveredStart
  private let store: any EventStore
  private let bodyDigest: (_ action: [UInt8]) -> Digest?

  /// - Parameters:
  ///   - start: where the session begins.
  ///   - bodyDigest: what a delivery of an action is known by, where its own digest is lost.
  /// - Throws: `EventStoreError` of the new store.
  init(
    _ start: RecoveredStart, in store: any EventStore,
    bodyDigest: @escaping ([UInt8]) -> Digest?
  ) throws {
    (self.start, self.store, self.bodyDigest) = (start, store, bodyDigest)
    version = start.parent?.seq ?? .zero
    if start.isNamed, mayWrite { session = try store.transaction { try create(in: $0) } }
  }

  private func create(in transaction: any EventStoreTransaction) throws -> SessionInfo {
    guard let parent = start.parent else {
      return try transaction.createSession(
        named: start.name, reactor: start.reactor ?? "", at: start.createdAt)
    }
    return try transaction.fork(
      parent.session, at: parent.seq, named: start.name, created: start.createdAt)
  }

  /// The digest of what was written.
  func digest() throws -> Digest? { try session.map { try store.tail(of: $0.id).digest } }

  /// Appends the events of `log` up to `last`, all of which are proven.
  ///
  /// - Parameter isOneCommit: whether they were one commit: then they become one again.
  /// - Returns: whether they keep the rules of an append; if not, the log stays as it was.
  /// - Throws: `EventStoreError` of the new store.
  mutating func append(
    _ log: FoundLog, through last: Seq, _ commit: FoundCommit, isOneCommit: Bool
  ) throws -> Bool {
    guard mayWrite else { return false }
    let schema = Int(exactly: commit.schemaVersion).flatMap {
      CommitLimits.schemaVersions.contains($0) ? $0 : nil
    }
    do {
      session = try store.transaction { transaction in
        let session = try self.session ?? create(in: transaction)
        var batch = EventBatch()
        var reached = version
        func flush() throws {
          guard !batch.isEmpty else { return }
          reached = try transaction.append(
            batch, to: session.id, expecting: reached, schemaVersion: schema ?? 1
          ).lastSeq
          batch.removeAll()
        }
        try log.events(after: version, through: last) { row in
          if !isOneCommit,
            batch.count >= CommitLimits.events || batch.byteCount >= CommitLimits.bytes
          {
            try flush()
          }
          batch.append(row.header, payload: row.payload)
          if let delivery = delivery(of: row) { batch.setDelivery(delivery, at: batch.count - 1) }
        }
        try flush()
        return session
      }
    } catch EventStoreError.invalidAppend {
      return false
    }
    version = last
    return true
  }

  private func delivery(of row: FoundLog.Row) -> Delivery? {
    guard let (id, digest) = row.delivery else { return nil }
    let body = digest ?? bodyDigest(Array(row.payload)) ?? SHA256.digest(of: Array(row.payload))
    return Delivery(id: id, bodyDigest: body)
  }
}
