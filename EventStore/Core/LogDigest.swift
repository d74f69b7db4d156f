/// The hash chain of a log: every event's digest depends on all events before it.
///
///     d(0) = SHA-256( "refold-log-1" | length of the reactor's name, u32 | the name )
///     d(n) = SHA-256( d(n-1), 32 bytes
///                   | seq u32 | cause u32 | recordedAt i64 | kind u8
///                   | length of the delivery id, u32, or 0xFFFFFFFF for none | the id
///                   | length of the payload, u32 | the payload )
///
/// Numbers are little-endian, recordedAt is in microseconds since 1970, kind is the raw value of
/// `EventKind`, texts are UTF-8. The session's name and number, positions and the grouping into
/// commits are left out, so that an exported, imported or forked log keeps its digests.
///
/// The 57 bytes around a payload leave 62 for it in two SHA-256 blocks, which most payloads fit.
/// - Complexity: O(bytes) an event, no allocation.
public struct LogDigest: Sendable {
  private var words: SHA256.Words

  /// d(0) of a log of the reactor called `reactor`.
  public init(reactor: String) {
    var hasher = SHA256()
    hasher.update("refold-log-1")
    hasher.update(littleEndian: UInt32(truncatingIfNeeded: reactor.utf8.count))
    hasher.update(reactor)
    words = hasher.finalWords()
  }

  /// The chain after the event whose digest is `digest`.
  public init(continuing digest: Digest) { words = digest.words }

  /// The digest of all events so far.
  public var digest: Digest { Digest(words) }

  /// Goes on by one event.
  @inline(__always)
  public mutating func append(_ header: EventHeader, deliveryID: String?, payload: RawSpan) {
    if deliveryID == nil, payload.byteCount <= Self.shortPayload {
      appendShort(header, payload)
    } else {
      appendAny(header, deliveryID, payload)
    }
  }

  private mutating func appendAny(
    _ header: EventHeader, _ deliveryID: String?, _ payload: RawSpan
  ) {
    var hasher = SHA256()
    hasher.update(words)
    hasher.update(littleEndian: header.seq.rawValue)
    hasher.update(littleEndian: header.cause.rawValue)
    hasher.update(littleEndian: header.recordedAt.microseconds)
    hasher.update(littleEndian: header.kind.rawValue)
    if let deliveryID {
      hasher.update(littleEndian: UInt32(truncatingIfNeeded: deliveryID.utf8.count))
      hasher.update(deliveryID)
    } else {
      hasher.update(littleEndian: UInt32.max)
    }
    hasher.update(littleEndian: UInt32(truncatingIfNeeded: payload.byteCount))
    hasher.update(payload)
    words = hasher.finalWords()
  }

  /// The bytes of an event before its payload, where no delivery brought it.
  private static let fixedBytes = 57
  /// The blocks that are put together on the stack.
  private static let shortBlocks = 4
  /// The payload that fits into them, with the end that SHA-256 gives a message: a byte, and its
  /// length in 8.
  private static let shortPayload = shortBlocks * 64 - fixedBytes - 9

  /// The whole message in one piece: most of the time that `appendAny` takes is spent between pieces.
  private mutating func appendShort(_ header: EventHeader, _ payload: RawSpan) {
    let count = Self.fixedBytes + payload.byteCount
    let padded = (count + 9 + 63) & ~63
    withUnsafeTemporaryAllocation(byteCount: Self.shortBlocks * 64, alignment: 16) { message in
      message.storeBytes(of: SHA256.bigEndian(words), as: SHA256.Words.self)
      message.storeBytes(of: header.seq.rawValue.littleEndian, toByteOffset: 32, as: UInt32.self)
      message.storeBytes(of: header.cause.rawValue.littleEndian, toByteOffset: 36, as: UInt32.self)
      message.storeBytes(
        of: header.recordedAt.microseconds.littleEndian, toByteOffset: 40, as: Int64.self)
      message.storeBytes(of: header.kind.rawValue, toByteOffset: 48, as: UInt8.self)
      message.storeBytes(of: UInt32.max, toByteOffset: 49, as: UInt32.self)
      message.storeBytes(
        of: UInt32(truncatingIfNeeded: payload.byteCount).littleEndian, toByteOffset: 53,
        as: UInt32.self)
      payload.withUnsafeBytes { message[Self.fixedBytes...].copyBytes(from: $0) }
      message.storeBytes(of: 0x80, toByteOffset: count, as: UInt8.self)
      message[(count + 1)..<padded].initializeMemory(as: UInt8.self, repeating: 0)
      message.storeBytes(
        of: (UInt64(count) << 3).bigEndian, toByteOffset: padded - 8, as: UInt64.self)
      guard let start = message.baseAddress else { return }
      words = SHA256.startingWords
      SHA256.compress(start, count: padded / 64, into: &words)
    }
  }

  /// Goes on by one event.
  public mutating func append(_ event: Event) {
    append(event.header, deliveryID: event.delivery?.id, payload: event.payload.span.bytes)
  }

  /// Goes on by all events of `batch`.
  public mutating func append(contentsOf batch: EventBatch) {
    batch.withUnsafeEvents { events in
      for index in 0..<events.count {
        append(
          events.headers[index], deliveryID: batch.delivery(at: index)?.id,
          payload: events.payload(at: index).bytes)
      }
    }
  }
}
