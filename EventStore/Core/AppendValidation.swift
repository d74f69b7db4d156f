/// What an append must know of the log that it goes to. Seqs asked for lie before the batch.
package protocol AppendContext {
  /// Whether the event at `seq` is an action.
  func isAction(_ seq: Seq) throws -> Bool
  /// Whether the effect of the action at `cause` is pending.
  func hasOpenEffect(_ cause: Seq) throws -> Bool
  /// Whether the session, or an ancestor up to where it was forked, has a delivery of `id`.
  func hasDelivery(_ id: String) throws -> Bool
}

/// The rules of an append, in one place for every store, and what it does to the open effects.
package struct AppendValidation {
  /// The largest payload: SQLite holds no row above 10^9 bytes.
  package static let payloadBytes = 1 << 29
  /// The longest delivery id.
  package static let deliveryIDBytes = 1 << 16

  /// Effects that were open before the batch and have ended or been taken over. To be removed first.
  package private(set) var ended: Set<Seq> = []
  /// Effects that the batch opens or takes over and does not end: the action's seq, and that of its
  /// newest pending.
  package private(set) var opened: [Seq: Seq] = [:]

  private let session: String
  private let batch: EventBatch
  private let version: Version
  private let context: any AppendContext
  private var knownAction: Seq?
  /// By their bytes: ids that differ only in Unicode normalization are two ids.
  private var deliveryIDs: Set<[UInt8]> = []

  /// Holds `batch` to the rules.
  ///
  /// - Parameters:
  ///   - session: the session's name, for messages.
  ///   - version: what the writer expects.
  ///   - schemaVersion: the reactor's.
  ///   - tail: where the session's log ends.
  /// - Throws: `EventStoreError.versionConflict`, `.sessionFull`, `.invalidAppend`; what `context`
  ///   throws.
  package init(
    _ batch: EventBatch, to session: String, expecting version: Version, schemaVersion: Int,
    tail: Tail, context: any AppendContext
  ) throws {
    self.session = session
    self.batch = batch
    self.version = version
    self.context = context
    guard version == tail.version else {
      throw EventStoreError.versionConflict(expected: version, actual: tail.version)
    }
    guard !batch.isEmpty else { throw objection("there is nothing to append") }
    guard CommitLimits.schemaVersions.contains(schemaVersion) else {
      throw objection("the schema version \(schemaVersion) is not from 0 to \(Int32.max)")
    }
    guard version.advanced(by: batch.count) != nil else {
      throw EventStoreError.sessionFull(session)
    }
    try check(after: tail)
  }

  private mutating func check(after tail: Tail) throws {
    var seq = version
    // The first event of a log has no event before it, so any time will do: an imported log may be
    // older than the session that it goes to.
    var time = version == .zero ? Timestamp(microseconds: .min) : tail.recordedAt
    for index in batch.headers.indices {
      let header = batch.headers[index]
      guard let next = seq.advanced(by: 1), header.seq == next else {
        throw objection("seq \(header.seq) does not follow seq \(seq)")
      }
      guard header.recordedAt >= time else {
        throw objection("seq \(next) is recorded before the event ahead of it")
      }
      try checkCause(of: header)
      try checkPayloadAndDelivery(at: index)
      (seq, time) = (next, header.recordedAt)
    }
  }

  private mutating func checkCause(of header: EventHeader) throws {
    switch header.kind {
    case .action, .mutation:
      if header.cause != .zero { try requireAction(header) }
    case .pending:
      try requireAction(header)
      // A pending of an open effect takes it over: its process is the owner from here on.
      if opened[header.cause] == nil, try isOpen(header.cause) { ended.insert(header.cause) }
      opened[header.cause] = header.seq
    case .completed, .cancelled, .failed:
      try requireAction(header)
      guard try isOpen(header.cause) else {
        // An effect that fails in its action's first step was never pending.
        if header.kind == .failed { return }
        throw objection("seq \(header.seq): seq \(header.cause) has no pending effect to end")
      }
      if opened.removeValue(forKey: header.cause) == nil { ended.insert(header.cause) }
    }
  }

  private mutating func requireAction(_ header: EventHeader) throws {
    let cause = header.cause
    if cause == knownAction { return }
    guard cause != .zero, cause < header.seq, try isAction(cause) else {
      throw objection("seq \(header.seq): its cause \(cause) is not an earlier action")
    }
    knownAction = cause
  }

  private func isAction(_ seq: Seq) throws -> Bool {
    guard seq > version else { return try context.isAction(seq) }
    return batch.headers[version.distance(to: seq) - 1].kind == .action
  }

  private func isOpen(_ cause: Seq) throws -> Bool {
    if opened[cause] != nil { return true }
    return try cause <= version && !ended.contains(cause) && context.hasOpenEffect(cause)
  }

  private mutating func checkPayloadAndDelivery(at index: Int) throws {
    let seq = batch.headers[index].seq
    guard batch.withPayload(at: index, { $0.byteCount }) <= Self.payloadBytes else {
      throw objection("seq \(seq): its payload is larger than \(Self.payloadBytes) bytes")
    }
    guard let delivery = batch.delivery(at: index) else { return }
    guard batch.headers[index].kind == .action else {
      throw objection("seq \(seq): a delivery stands on an action, not on this")
    }
    guard (1...Self.deliveryIDBytes).contains(delivery.id.utf8.count) else {
      throw objection("seq \(seq): a delivery id has 1 to \(Self.deliveryIDBytes) bytes")
    }
    let isNew = deliveryIDs.insert(Array(delivery.id.utf8)).inserted
    guard try isNew && !context.hasDelivery(delivery.id) else {
      throw objection("seq \(seq): the delivery id \(delivery.id) is there already")
    }
  }

  private func objection(_ reason: String) -> EventStoreError {
    .invalidAppend(session: session, reason: reason)
  }
}
