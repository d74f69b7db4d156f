import EventStoreCore

/// Where a session's loop writes the events of its open batch. It knows events, and no reactor.
///
/// Public only because `Reactor`'s underscored requirements name it: nothing in it is for use
/// outside this package. Used by the loop alone, one thread at a time.
public final class _StepLog {
  /// Whether `_decide` keeps the action, for deciding it again.
  @exclusivity(unchecked) @usableFromInline var keepsAction = false
  /// What the batch's events amount to.
  @exclusivity(unchecked) var progress: Progress
  /// The events of the open batch.
  @exclusivity(unchecked) var events = EventBatch()
  /// The action that the mutations come from which `_decide` gives.
  @exclusivity(unchecked) var cause = Seq.zero
  /// What went wrong in the step that is being decided.
  @exclusivity(unchecked) var issues: [SessionIssue] = []
  @exclusivity(unchecked) private var payload: [UInt8] = []
  private let codec: EventCodec
  private let session: String

  init(_ progress: Progress, _ codec: EventCodec, session: String) {
    self.progress = progress
    self.codec = codec
    self.session = session
  }

  /// Logs `mutation`.
  /// - Returns: false for one that cannot be written as JSON, which then must not be reduced.
  /// - Throws: `EventStoreError.sessionFull`.
  @usableFromInline
  func append<Mutation: Encodable>(_ mutation: Mutation) throws -> Bool {
    payload.removeAll(keepingCapacity: true)
    do {
      try codec.encode(mutation, into: &payload)
    } catch {
      let issue = SessionError.unencodable(
        type: String(describing: Mutation.self), reason: "\(error)")
      issues.append(.mutationDropped(cause: cause, error: issue))
      return false
    }
    let header = try nextHeader(.mutation, cause: cause)
    events.append(header, payload: payload)
    return true
  }

  /// Logs an event.
  /// - Throws: `EventStoreError.sessionFull`.
  func append(
    _ kind: EventKind, cause: Seq, _ payload: RawSpan, delivery: Delivery? = nil
  ) throws {
    let header = try nextHeader(kind, cause: cause)
    payload.withUnsafeBytes { events.append(header, payload: $0, delivery: delivery) }
  }

  /// Logs an event.
  /// - Throws: `EventStoreError.sessionFull`.
  func append(_ kind: EventKind, cause: Seq, _ payload: [UInt8]) throws {
    events.append(try nextHeader(kind, cause: cause), payload: payload)
  }

  private func nextHeader(_ kind: EventKind, cause: Seq) throws -> EventHeader {
    guard let seq = progress.version.advanced(by: 1) else {
      throw EventStoreError.sessionFull(session)
    }
    progress.version = seq
    return EventHeader(seq: seq, kind: kind, cause: cause, recordedAt: progress.recordedAt)
  }

  /// What went wrong in the step; forgets it.
  func takeIssues() -> [SessionIssue] {
    if issues.isEmpty { return [] }
    defer { issues = [] }
    return issues
  }
}
