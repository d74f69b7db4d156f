import EventStoreCore

/// Writes the proven events of one session to the new store, in the commits that they were in.
struct RecoveredLog {
  /// The session in the new store; nil for none.
  private(set) var session: SessionInfo?
  /// As far as it was written.
  private(set) var version: Version
  private let store: any EventStore
  private let bodyDigest: (_ action: [UInt8]) -> Digest?

  /// - Parameters:
  ///   - session: nil where there is none to write to.
  ///   - bodyDigest: what a delivery of an action is known by, where its own digest is lost.
  init(
    _ session: SessionInfo?, in store: any EventStore,
    bodyDigest: @escaping ([UInt8]) -> Digest?
  ) {
    (self.session, self.store, self.bodyDigest) = (session, store, bodyDigest)
    version = session?.parent?.seq ?? .zero
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
    guard let session else { return false }
    let schema = Int(exactly: commit.schemaVersion).flatMap {
      CommitLimits.schemaVersions.contains($0) ? $0 : nil
    }
    do {
      try store.transaction { transaction in
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
