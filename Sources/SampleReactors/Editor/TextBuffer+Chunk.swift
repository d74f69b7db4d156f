extension TextBuffer {
  /// A stretch of the text: whole scalars, at least one, at most `capacity` bytes of UTF-8.
  struct Chunk: Sendable {
    private(set) var bytes: [UInt8]
    private(set) var scalarCount: Int

    /// The most bytes of a chunk. Small enough that an edit moves little and that a copied state
    /// copies little, large enough that the list of chunks stays short.
    static let capacity = 1024

    /// Bytes of a chunk that was cut out of a longer stretch: leaves room for the next edits.
    private static let cutSize = 768
  }
}

extension TextBuffer.Chunk {
  private init(_ bytes: some Collection<UInt8>) {
    self.bytes = Array(bytes)
    scalarCount = Self.scalarCount(of: bytes)
  }

  /// Chunks for `bytes`: one where they fit, else pieces of about the same size.
  static func cut(_ bytes: [UInt8]) -> [Self] {
    if bytes.isEmpty { return [] }
    if bytes.count <= capacity { return [Self(bytes)] }
    var chunks: [Self] = []
    var start = 0
    let pieces = (bytes.count + cutSize - 1) / cutSize
    chunks.reserveCapacity(pieces)
    for piece in 1...pieces {
      var end = bytes.count * piece / pieces
      while end < bytes.count, isContinuation(bytes[end]) { end += 1 }
      chunks.append(Self(bytes[start..<end]))
      start = end
    }
    return chunks
  }

  /// Whether two neighbours should be one chunk.
  static func areSmall(_ left: Self, _ right: Self) -> Bool {
    left.bytes.count + right.bytes.count <= capacity / 2
  }

  /// How many scalars the UTF-8 of `bytes` has: as many as bytes that begin one.
  static func scalarCount(of bytes: some Collection<UInt8>) -> Int {
    bytes.withContiguousStorageIfAvailable { countScalars($0) }
      ?? bytes.reduce(0) { $0 + (isContinuation($1) ? 0 : 1) }
  }

  private static func countScalars(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    var count = 0
    for byte in bytes where !isContinuation(byte) { count += 1 }
    return count
  }

  private static func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }

  /// The bytes before the scalar at `offset`.
  func bytes(beforeScalar offset: Int) -> ArraySlice<UInt8> { bytes[..<byteOffset(of: offset)] }

  /// The bytes from the scalar at `offset` on.
  func bytes(fromScalar offset: Int) -> ArraySlice<UInt8> { bytes[byteOffset(of: offset)...] }

  /// Replaces scalars in place.
  /// - Returns: by how many bytes the chunk has grown; nil, and nothing done, where the scalars are
  ///   not all in this chunk or where it would become empty or too large.
  mutating func replaceScalars(
    from offset: Int, count: Int, with inserted: String.UTF8View, _ insertedScalars: Int
  ) -> Int? {
    guard offset + count <= scalarCount else { return nil }
    let start = byteOffset(of: offset)
    let end = count == 0 ? start : byteOffset(of: offset + count)
    let change = inserted.count - (end - start)
    guard 1...Self.capacity ~= bytes.count + change else { return nil }
    bytes.replaceSubrange(start..<end, with: inserted)
    scalarCount += insertedScalars - count
    return change
  }

  /// Adds the content of the next chunk.
  mutating func append(_ next: Self) {
    bytes += next.bytes
    scalarCount += next.scalarCount
  }

  /// Where the scalar at `offset` begins; the end for the offset after the last one.
  private func byteOffset(of offset: Int) -> Int {
    if bytes.count == scalarCount { return offset }
    if offset == scalarCount { return bytes.count }
    var left = offset
    for index in bytes.indices where !Self.isContinuation(bytes[index]) {
      if left == 0 { return index }
      left -= 1
    }
    return bytes.count
  }

  /// What is wrong with the chunk, for tests.
  var brokenInvariant: String? {
    if bytes.isEmpty { return "empty" }
    if bytes.count > Self.capacity { return "\(bytes.count) bytes" }
    guard let string = String(validating: bytes, as: UTF8.self) else { return "not UTF-8" }
    return string.unicodeScalars.count == scalarCount ? nil : "scalarCount"
  }
}
