/// One atomic append to one session.
public struct Commit: Hashable, Sendable {
  /// Its place in the store's total order.
  public var position: Position
  /// The session appended to.
  public var session: SessionID
  /// The first event's seq.
  public var firstSeq: Seq
  /// The last event's seq: the session's version after it.
  public var lastSeq: Seq
  /// The reactor's `schemaVersion` when it was written: one of `CommitLimits.schemaVersions`.
  public var schemaVersion: Int
  /// The digest of the session's log up to `lastSeq`.
  public var digest: Digest

  /// A commit of these parts.
  public init(
    position: Position, session: SessionID, firstSeq: Seq, lastSeq: Seq, schemaVersion: Int,
    digest: Digest
  ) {
    self.position = position
    self.session = session
    self.firstSeq = firstSeq
    self.lastSeq = lastSeq
    self.schemaVersion = schemaVersion
    self.digest = digest
  }
}

/// What the parts of a commit can be, and how much one holds at most, so that a reader, a conflict or
/// a crash never costs more.
public enum CommitLimits {
  /// Events in a commit, unless a single action's first step has more.
  public static let events = 4096
  /// Payload bytes in a commit, unless a single action's first step has more.
  public static let bytes = 1 << 20
  /// What a reactor's `schemaVersion` may be.
  public static let schemaVersions = 0...Int(Int32.max)
  /// What a position can be; no store lives to see the last one. Every JSON reader keeps it exact.
  package static let positions: ClosedRange<Int64> = 1...(1 << 53)
}
