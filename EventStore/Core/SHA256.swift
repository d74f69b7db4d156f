internal import CSHA256

/// SHA-256 (FIPS 180-4), fed piece by piece.
///
///     var hasher = SHA256()
///     hasher.update("abc".utf8.span.bytes)
///     let digest = hasher.finalized()
///
/// Written here because nothing is linked for it; held to NIST's vectors by the tests. Where the
/// processor has instructions for it, they are used: they take a sixth of the time.
/// - Complexity: O(n) for n bytes, without allocation until the digest is asked for.
public struct SHA256: Sendable {
  /// The eight chaining words; as bytes they are big-endian.
  package typealias Words = SIMD8<UInt32>

  private var words = Self.startingWords
  private var block = InlineArray<64, UInt8>(repeating: 0)
  private var filled = 0
  private var byteCount: UInt64 = 0
  private let isPortable: Bool

  /// A hasher that has seen nothing.
  public init() { isPortable = false }

  /// A hasher that leaves the processor's instructions for SHA-256 alone: what it is on processors
  /// without them.
  package init(isPortable: Bool) { self.isPortable = isPortable }

  /// The digest of `bytes`.
  public static func digest(of bytes: some Sequence<UInt8>) -> Digest {
    var hasher = SHA256()
    hasher.update(Array(bytes).span.bytes)
    return hasher.finalized()
  }

  /// Feeds `bytes`.
  public mutating func update(_ bytes: RawSpan) {
    bytes.withUnsafeBytes { update($0) }
  }

  /// Feeds the bytes of `text` in UTF-8.
  public mutating func update(_ text: String) {
    var text = text
    text.withUTF8 { update(UnsafeRawBufferPointer($0)) }
  }

  /// Feeds `number` as little-endian bytes.
  @inline(__always)
  package mutating func update(littleEndian number: some FixedWidthInteger) {
    withUnsafeBytes(of: number.littleEndian) { update($0) }
  }

  /// Feeds the 32 bytes of a digest.
  package mutating func update(_ words: Words) {
    withUnsafeBytes(of: Self.bigEndian(words)) { update($0) }
  }

  /// Feeds `bytes`.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    guard var next = bytes.baseAddress, !bytes.isEmpty else { return }
    byteCount &+= UInt64(bytes.count)
    var rest = bytes.count
    if filled > 0 || rest < 64 {
      let taken = min(64 - filled, rest)
      copy(next, taken)
      guard filled == 64 else { return }
      compressBlock()
      next += taken
      rest -= taken
    }
    let blocks = rest / 64
    compress(next, count: blocks)
    copy(next + blocks * 64, rest % 64)
  }

  /// The digest of all that was fed; the hasher can be fed on.
  public func finalized() -> Digest { Digest(self.finalWords()) }

  /// As `finalized()`, as words and without allocation.
  package func finalWords() -> Words {
    var hasher = self
    hasher.pad()
    return hasher.words
  }

  private mutating func pad() {
    let bitCount = byteCount << 3
    block[filled] = 0x80
    filled += 1
    if filled > 56 {
      zeroBlock(through: 64)
      compressBlock()
    }
    zeroBlock(through: 56)
    withUnsafeMutableBytes(of: &block) {
      $0.storeBytes(of: bitCount.bigEndian, toByteOffset: 56, as: UInt64.self)
    }
    compressBlock()
  }

  private mutating func zeroBlock(through end: Int) {
    while filled < end {
      block[filled] = 0
      filled += 1
    }
  }

  private mutating func copy(_ source: UnsafeRawPointer, _ count: Int) {
    withUnsafeMutableBytes(of: &block) { block in
      guard let start = block.baseAddress else { return }
      (start + filled).copyMemory(from: source, byteCount: count)
    }
    filled += count
  }

  private mutating func compressBlock() {
    // A copy, because the hasher changes while the block is lent.
    withUnsafeBytes(of: block) { block in
      guard let start = block.baseAddress else { return }
      compress(start, count: 1)
    }
    filled = 0
  }

  private mutating func compress(_ blocks: UnsafeRawPointer, count: Int) {
    if isPortable {
      Self.compressPortably(blocks, count: count, into: &words)
    } else {
      Self.compress(blocks, count: count, into: &words)
    }
  }
}

extension SHA256 {
  /// Goes on by `count` blocks of 64 bytes, which lie at `blocks`.
  @inline(__always)
  static func compress(_ blocks: UnsafeRawPointer, count: Int, into words: inout Words) {
    let isDone = withUnsafeMutableBytes(of: &words) { words in
      refold_sha256_compress(words.baseAddress?.assumingMemoryBound(to: UInt32.self), blocks, count)
    }
    if !isDone { compressPortably(blocks, count: count, into: &words) }
  }

  private static func compressPortably(
    _ blocks: UnsafeRawPointer, count: Int, into words: inout Words
  ) {
    for index in 0..<count { compress(blocks + index * 64, into: &words) }
  }

  static let startingWords = Words(
    0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a,
    0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19)

  /// `words` so that their bytes in memory are those of the digest.
  @inline(__always)
  static func bigEndian(_ words: Words) -> Words {
    var result = words
    for index in 0..<8 { result[index] = words[index].bigEndian }
    return result
  }

  private static func compress(_ block: UnsafeRawPointer, into words: inout Words) {
    var schedule = InlineArray<64, UInt32>(repeating: 0)
    // By pointer, because an InlineArray handed on is copied for every round.
    withUnsafeMutableBytes(of: &schedule) { schedule in
      guard let start = schedule.baseAddress else { return }
      let schedule = start.assumingMemoryBound(to: UInt32.self)
      expand(block, into: schedule)
      mix(schedule, into: &words)
    }
  }

  private static func expand(_ block: UnsafeRawPointer, into w: UnsafeMutablePointer<UInt32>) {
    for index in 0..<16 {
      w[index] = UInt32(
        bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
    }
    for index in 16..<64 {
      w[index] =
        w[index &- 16] &+ w[index &- 7] &+ lowSigma0(w[index &- 15]) &+ lowSigma1(w[index &- 2])
    }
  }

  /// The 64 rounds, eight an iteration: after eight, each variable has its own role again, so that
  /// none is moved.
  private static func mix(_ w: UnsafePointer<UInt32>, into words: inout Words) {
    var (a, b, c, d) = (words[0], words[1], words[2], words[3])
    var (e, f, g, h) = (words[4], words[5], words[6], words[7])
    var index = 0
    while index < 64 {
      round(a, b, c, &d, e, f, g, &h, w, index)
      round(h, a, b, &c, d, e, f, &g, w, index &+ 1)
      round(g, h, a, &b, c, d, e, &f, w, index &+ 2)
      round(f, g, h, &a, b, c, d, &e, w, index &+ 3)
      round(e, f, g, &h, a, b, c, &d, w, index &+ 4)
      round(d, e, f, &g, h, a, b, &c, w, index &+ 5)
      round(c, d, e, &f, g, h, a, &b, w, index &+ 6)
      round(b, c, d, &e, f, g, h, &a, w, index &+ 7)
      index &+= 8
    }
    words &+= Words(a, b, c, d, e, f, g, h)
  }

  @inline(__always)
  private static func round(
    _ a: UInt32, _ b: UInt32, _ c: UInt32, _ d: inout UInt32,
    _ e: UInt32, _ f: UInt32, _ g: UInt32, _ h: inout UInt32,
    _ w: UnsafePointer<UInt32>, _ index: Int
  ) {
    let mixed =
      h &+ highSigma1(e) &+ (g ^ (e & (f ^ g)))
      &+ constants[unchecked: index] &+ w[index]
    d &+= mixed
    h = mixed &+ highSigma0(a) &+ ((a & b) | (c & (a | b)))
  }

  @inline(__always)
  private static func lowSigma0(_ x: UInt32) -> UInt32 {
    rotated(x, 7) ^ rotated(x, 18) ^ (x &>> 3)
  }

  @inline(__always)
  private static func lowSigma1(_ x: UInt32) -> UInt32 {
    rotated(x, 17) ^ rotated(x, 19) ^ (x &>> 10)
  }

  @inline(__always)
  private static func highSigma0(_ x: UInt32) -> UInt32 {
    rotated(x, 2) ^ rotated(x, 13) ^ rotated(x, 22)
  }

  @inline(__always)
  private static func highSigma1(_ x: UInt32) -> UInt32 {
    rotated(x, 6) ^ rotated(x, 11) ^ rotated(x, 25)
  }

  @inline(__always)
  private static func rotated(_ x: UInt32, _ count: UInt32) -> UInt32 {
    (x &>> count) | (x &<< (32 &- count))
  }
}

extension Digest {
  /// The digest that `words` are, in the order of FIPS 180-4.
  package init(_ words: SHA256.Words) {
    let bytes = withUnsafeBytes(of: SHA256.bigEndian(words)) { Array($0) }
    self.init(thirtyTwo: bytes)
  }

  /// The digest as the words of FIPS 180-4.
  package var words: SHA256.Words {
    bytes.withUnsafeBytes { bytes in
      var words = SHA256.Words()
      for index in 0..<8 {
        words[index] = UInt32(
          bigEndian: bytes.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self))
      }
      return words
    }
  }
}

private let constants: InlineArray<64, UInt32> = [
  0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
  0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
  0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
  0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
  0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
  0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
  0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
  0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
  0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
  0xc671_78f2,
]
