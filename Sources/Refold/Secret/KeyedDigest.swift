import EventStoreCore

/// HMAC-SHA-256 with one key (RFC 2104).
struct KeyedDigest: Sendable {
  /// SHA-256 after the key's inner block, and after its outer one.
  private let inner: SHA256
  private let outer: SHA256

  private static let blockBytes = 64

  init(key: [UInt8]) {
    let key = key.count > Self.blockBytes ? SHA256.digest(of: key).bytes : key
    let block = key + [UInt8](repeating: 0, count: Self.blockBytes - key.count)
    inner = Self.started(block.map { $0 ^ 0x36 })
    outer = Self.started(block.map { $0 ^ 0x5c })
  }

  func digest(of bytes: [UInt8]) -> Digest {
    var inner = inner
    inner.update(bytes.span.bytes)
    var outer = outer
    outer.update(inner.finalized().bytes.span.bytes)
    return outer.finalized()
  }

  private static func started(_ block: [UInt8]) -> SHA256 {
    var hash = SHA256()
    hash.update(block.span.bytes)
    return hash
  }
}
