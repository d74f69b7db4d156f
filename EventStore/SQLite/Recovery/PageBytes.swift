/// Bytes of a damaged file, read as SQLite's file format has them: big-endian, and every offset
/// checked. What lies outside is nil, whatever number led there.
///
/// The format: sqlite.org/fileformat2.html.
struct PageBytes {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// The byte at `offset`.
  func byte(_ offset: Int) -> UInt8? { bytes.indices.contains(offset) ? bytes[offset] : nil }

  /// The unsigned number in `size` bytes, at most 7, at `offset`.
  func number(_ offset: Int, size: Int) -> Int? {
    guard offset >= 0, size <= 7, offset <= count - size else { return nil }
    return bytes[offset..<offset + size].reduce(0) { $0 << 8 | Int($1) }
  }

  /// The two's-complement number in `size` bytes, at most 8, at `offset`.
  func signed(_ offset: Int, size: Int) -> Int64? {
    guard offset >= 0, size <= 8, offset <= count - size else { return nil }
    let bits = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    let unused = UInt64(64 - size * 8)
    return size == 0 ? 0 : Int64(bitPattern: bits << unused) >> Int64(unused)
  }

  /// The variable-length number at `offset`, 1 to 9 bytes, and the offset behind it.
  func varint(_ offset: Int) -> (value: Int64, end: Int)? {
    var value: UInt64 = 0
    for index in 0..<8 {
      guard let byte = byte(offset + index) else { return nil }
      value = value << 7 | UInt64(byte & 0x7f)
      if byte & 0x80 == 0 { return (Int64(bitPattern: value), offset + index + 1) }
    }
    guard let last = byte(offset + 8) else { return nil }
    return (Int64(bitPattern: value << 8 | UInt64(last)), offset + 9)
  }
}
