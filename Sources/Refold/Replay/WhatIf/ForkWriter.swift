import EventStoreCore

/// Writes a fork and what follows its shared past, a commit at a time. The session is made together
/// with its first commit; whatever a crash leaves is the beginning of the whole.
struct ForkWriter {
  private(set) var version: Version
  private(set) var recordedAt: Timestamp?
  private let parent: SessionInfo
  private let seq: Seq
  private let name: SessionName?
  private let schemaVersion: Int
  private let store: any EventStore
  private var session: SessionInfo?
  private var batch = EventBatch()

  /// - Throws: `EventStoreError.sessionExists`.
  init(
    _ parent: SessionInfo, at seq: Seq, recordedAt: Timestamp?, named name: SessionName?,
    schemaVersion: Int, in store: any EventStore
  ) throws {
    if let name, try store.session(named: name) != nil {
      throw EventStoreError.sessionExists(name)
    }
    self.parent = parent
    self.seq = seq
    self.recordedAt = recordedAt
    self.name = name
    self.schemaVersion = schemaVersion
    self.store = store
    version = seq
  }

  /// Adds an event.
  /// - Returns: its seq.
  /// - Throws: `EventStoreError.sessionFull`.
  mutating func add(
    _ kind: EventKind, cause: Seq, at time: Timestamp, _ payload: [UInt8],
    delivery: Delivery? = nil
  ) throws -> Seq {
    guard let next = version.advanced(by: 1) else {
      throw EventStoreError.sessionFull(name?.rawValue ?? parent.name.rawValue)
    }
    let time = max(time, recordedAt ?? time)
    let header = EventHeader(seq: next, kind: kind, cause: cause, recordedAt: time)
    batch.append(header, payload: payload, delivery: delivery)
    (version, recordedAt) = (next, time)
    return next
  }

  /// Commits what was added, if it is enough for a commit. Not to be called inside a first step.
  mutating func commitIfFull() throws {
    if batch.count >= CommitLimits.events / 2 || batch.byteCount >= CommitLimits.bytes / 2 {
      _ = try commit()
    }
  }

  /// Commits what was added, and makes the session where that has not happened.
  mutating func commit() throws -> SessionInfo {
    let made = try store.transaction { transaction in
      let info =
        try session
        ?? transaction.fork(
          parent.id, at: seq, named: name ?? Forking.freeName(for: parent, transaction),
          created: .now())
      if let first = batch.headers.first {
        try transaction.append(
          batch, to: info.id, expecting: first.seq.previous, schemaVersion: schemaVersion)
      }
      return info
    }
    session = made
    batch.removeAll()
    return made
  }
}
