import EventStoreCore

/// Eight bytes that a row carries behind its digest, by which `verify` tells damage to what the chain of
/// digests leaves out: a session's name, a commit's schema version, a snapshot's state.
///
///     seal = the first 8 bytes of SHA-256( "refold-row-1" | table | the row's other columns | digest )
///
/// Numbers are little-endian in 8 bytes, NULL is a byte 0 before nothing and a byte 1 before a number,
/// texts have their length in front, 8 bytes. Rows that format 1 wrote have none.
struct Seal {
  static let byteCount = 8

  private var hasher = SHA256()

  private init(_ table: String) {
    hasher.update("refold-row-1")
    add(table)
  }

  /// The blob to be stored: the digest, and the seal of the row.
  private consuming func behind(_ digest: Digest) -> [UInt8] {
    add(digest.bytes.span.bytes)
    return digest.bytes + hasher.finalized().bytes.prefix(Self.byteCount)
  }

  private mutating func add(_ number: Int64) { hasher.update(littleEndian: number) }

  private mutating func add(_ number: Int64?) {
    hasher.update(littleEndian: UInt8(number == nil ? 0 : 1))
    if let number { add(number) }
  }

  private mutating func add(_ text: String) {
    add(Int64(text.utf8.count))
    hasher.update(text)
  }

  private mutating func add(_ bytes: RawSpan) {
    add(Int64(bytes.byteCount))
    hasher.update(bytes)
  }
}

extension Seal {
  /// The column `digest` of a row of `sessions`.
  static func session(_ info: SessionInfo, start: LogPoint) -> [UInt8] {
    var seal = Seal("sessions")
    seal.add(Int64(info.id.rawValue))
    seal.add(info.name.rawValue)
    seal.add(info.reactor)
    seal.add(info.createdAt.microseconds)
    seal.add(info.parent.map { Optional(Int64($0.session.rawValue)) } ?? nil)
    seal.add(info.parent.map { Optional(Int64($0.seq.rawValue)) } ?? nil)
    seal.add(start.payloadBytes)
    return seal.behind(start.digest)
  }

  /// The column `digest` of a row of `commits`. Its position, which only writing it gives, is left out:
  /// positions have no gaps.
  static func commit(
    _ session: SessionID, first: Seq, last: Seq, schemaVersion: Int64, payloadBytes: Int64,
    digest: Digest
  ) -> [UInt8] {
    var seal = Seal("commits")
    seal.add(Int64(session.rawValue))
    seal.add(Int64(first.rawValue))
    seal.add(Int64(last.rawValue))
    seal.add(schemaVersion)
    seal.add(payloadBytes)
    return seal.behind(digest)
  }

  /// The column `body_digest` of a row of `deliveries`.
  static func delivery(_ delivery: Delivery, at seq: Seq, of session: SessionID) -> [UInt8] {
    var seal = Seal("deliveries")
    seal.add(Int64(session.rawValue))
    seal.add(delivery.id)
    seal.add(Int64(seq.rawValue))
    return seal.behind(delivery.bodyDigest)
  }

  /// The column `log_digest` of a row of `snapshots`, whose state is `state`.
  static func snapshot(
    of session: SessionID, at seq: Seq, fold: RawSpan, state: RawSpan, logDigest: Digest
  ) -> [UInt8] {
    var seal = Seal("snapshots")
    seal.add(Int64(session.rawValue))
    seal.add(Int64(seq.rawValue))
    seal.add(fold)
    seal.add(state)
    return seal.behind(logDigest)
  }
}

/// A digest as a row holds it, with the row's seal where it has one.
struct SealedDigest {
  let digest: Digest
  /// The whole column: 32 bytes, or 40 with a seal.
  let bytes: [UInt8]

  /// How many bytes there can be.
  static let sizes = [32, 32 + Seal.byteCount]

  /// nil unless `bytes` are as many.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard Self.sizes.contains(bytes.count),
      let digest = Digest(bytes: bytes.prefix(32))
    else { return nil }
    self.digest = digest
    self.bytes = Array(bytes)
  }

  /// nil unless `bytes` are as many.
  init?(_ bytes: [UInt8]) {
    guard let sealed = bytes.withUnsafeBytes({ SealedDigest($0) }) else { return nil }
    self = sealed
  }

  /// Whether the row has a seal.
  var isSealed: Bool { bytes.count > 32 }

  /// Whether the row's seal, where it has one, is that of `sealed`: what it was written as.
  func fits(_ sealed: @autoclosure () -> [UInt8]) -> Bool { !isSealed || bytes == sealed() }
}
