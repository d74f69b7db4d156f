/// What an event says. The raw values are those of the `kind` column.
public enum EventKind: UInt8, Sendable, CaseIterable {
  /// Something was asked for; the payload is what was sent.
  case action = 1
  /// State changed; the payload is what `reduce` folds.
  case mutation = 2
  /// The effect of the action `cause` goes on after this commit; of an effect that is pending already,
  /// the payload names its new owner.
  case pending = 3
  /// The pending effect of `cause` ended by itself.
  case completed = 4
  /// The pending effect of `cause` was cancelled.
  case cancelled = 5
  /// The effect of `cause` ended with an error; the payload says which.
  case failed = 6

  /// The name used in output, exports and the `log` view.
  public var name: String {
    switch self {
    case .action: "action"
    case .mutation: "mutation"
    case .pending: "pending"
    case .completed: "completed"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }

  /// The kind called `name`, or nil.
  public init?(name: some StringProtocol) {
    guard let kind = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = kind
  }

  /// Whether this kind ends a pending effect.
  public var endsEffect: Bool {
    switch self {
    case .completed, .cancelled, .failed: true
    case .action, .mutation, .pending: false
    }
  }
}

/// All of an event but its payload.
public struct EventHeader: Hashable, Sendable {
  /// The event's place in its session.
  public var seq: Seq
  /// What the event says.
  public var kind: EventKind
  /// The seq of the action that this event comes from, `Seq.zero` from outside any action.
  public var cause: Seq
  /// When it was recorded; never earlier than the event before.
  public var recordedAt: Timestamp

  /// A header of these parts.
  public init(seq: Seq, kind: EventKind, cause: Seq, recordedAt: Timestamp) {
    self.seq = seq
    self.kind = kind
    self.cause = cause
    self.recordedAt = recordedAt
  }
}

/// One row of a session's log.
public struct Event: Hashable, Sendable {
  /// Place, kind, cause and time.
  public var header: EventHeader
  /// JSON text in UTF-8; for an action the exact bytes that were accepted.
  public var payload: [UInt8]
  /// The idempotent delivery that brought this action, if one did.
  public var delivery: Delivery?

  /// An event of these parts.
  public init(header: EventHeader, payload: [UInt8], delivery: Delivery? = nil) {
    self.header = header
    self.payload = payload
    self.delivery = delivery
  }
}

/// What makes the delivery of an action idempotent: its sender's id, and a digest of its body by
/// which a second delivery of the same action is told from another action under the same id.
public struct Delivery: Hashable, Sendable {
  /// The sender's id, unique in its session; not empty.
  public var id: String
  /// The SHA-256 of the action's canonical JSON.
  public var bodyDigest: Digest

  /// A delivery of these parts.
  public init(id: String, bodyDigest: Digest) {
    self.id = id
    self.bodyDigest = bodyDigest
  }
}
