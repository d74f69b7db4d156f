/// The unique name of a session in its store: 1 to 255 bytes of UTF-8 without control characters,
/// compared by bytes, not starting with `@` or `-`, which mean something on the command line.
public struct SessionName: Sendable {
  /// The name as it was given.
  public let rawValue: String

  /// Wraps `rawValue`.
  ///
  /// - Throws: `EventStoreError.invalidSessionName`, which says what is wrong with it.
  public init(_ rawValue: String) throws {
    if let reason = Self.objection(to: rawValue) {
      throw EventStoreError.invalidSessionName(rawValue, reason: reason)
    }
    self.rawValue = rawValue
  }

  private static func objection(to name: String) -> String? {
    if name.isEmpty { return "it is empty" }
    if name.utf8.count > 255 { return "it is longer than 255 bytes" }
    // By bytes: to Swift, an @ under an accent is another character.
    if [UInt8(ascii: "@"), UInt8(ascii: "-")].contains(name.utf8.first) {
      return "it starts with @ or -"
    }
    if name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
      return "it contains a control character"
    }
    return nil
  }
}

extension SessionName: Hashable {
  /// Whether the bytes are the same: names that differ only in normalization are two names.
  public static func == (left: SessionName, right: SessionName) -> Bool {
    left.rawValue.utf8.elementsEqual(right.rawValue.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in rawValue.utf8 { hasher.combine(byte) }
  }
}

extension SessionName: CustomStringConvertible {
  /// The name alone.
  public var description: String { rawValue }
}

/// What a store knows of a session without reading its events.
public struct SessionInfo: Hashable, Sendable {
  /// The store's number for it.
  public var id: SessionID
  /// Its unique name.
  public var name: SessionName
  /// The name of the reactor whose actions and mutations it holds.
  public var reactor: String
  /// When it was created.
  public var createdAt: Timestamp
  /// Where it was forked from, nil for a root session.
  public var parent: Parent?

  /// A place in another session.
  public struct Parent: Hashable, Sendable {
    /// The session forked from.
    public var session: SessionID
    /// The last seq that is shared with it.
    public var seq: Seq

    /// The place `seq` of `session`.
    public init(session: SessionID, seq: Seq) {
      self.session = session
      self.seq = seq
    }
  }

  /// A session of these parts.
  public init(
    id: SessionID, name: SessionName, reactor: String, createdAt: Timestamp, parent: Parent?
  ) {
    self.id = id
    self.name = name
    self.reactor = reactor
    self.createdAt = createdAt
    self.parent = parent
  }
}

/// Where a session's log ends.
public struct Tail: Hashable, Sendable {
  /// The last seq.
  public var version: Version
  /// When the last event was recorded; the session's creation for an empty log.
  public var recordedAt: Timestamp
  /// The digest of the whole log up to here.
  public var digest: Digest
  /// The bytes of all payloads up to here, an inherited past included.
  public var payloadBytes: Int64

  /// What `payloadBytes` can be: 2^32 events of 2^29 bytes each. Whatever a page or a batch adds to
  /// such a count, it does not overflow.
  package static let payloadBytesRange: ClosedRange<Int64> = 0...(1 << 61)

  /// A tail of these parts.
  public init(version: Version, recordedAt: Timestamp, digest: Digest, payloadBytes: Int64) {
    self.version = version
    self.recordedAt = recordedAt
    self.digest = digest
    self.payloadBytes = payloadBytes
  }
}
