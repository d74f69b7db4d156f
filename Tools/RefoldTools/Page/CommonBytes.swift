import Foundation

/// What two stretches of bytes have in common.
enum CommonBytes {
  /// Whether both are the same bytes.
  static func areEqual(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Bool {
    guard one.count == other.count else { return false }
    guard let one = one.baseAddress, let start = other.baseAddress else { return true }
    return memcmp(one, start, other.count) == 0
  }

  /// How many bytes both begin with, whole scalars of UTF-8.
  /// - Complexity: O(n), eight bytes at a time.
  static func prefix(_ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer) -> Int {
    let shorter = min(one.count, other.count)
    var count = 0
    while count + 8 <= shorter, word(one, count) == word(other, count) { count += 8 }
    while count < shorter, one[count] == other[count] { count += 1 }
    while count > 0, isInsideScalar(one, count) || isInsideScalar(other, count) { count -= 1 }
    return count
  }

  /// How many bytes both end in, whole scalars of UTF-8, behind the `prefix` that both begin with.
  /// - Complexity: O(n), eight bytes at a time.
  static func suffix(
    _ one: UnsafeRawBufferPointer, _ other: UnsafeRawBufferPointer, behind prefix: Int
  ) -> Int {
    let most = min(one.count, other.count) - prefix
    var count = 0
    while count + 8 <= most,
      word(one, one.count - count - 8) == word(other, other.count - count - 8)
    {
      count += 8
    }
    while count < most, one[one.count - count - 1] == other[other.count - count - 1] { count += 1 }
    while count > 0, isInsideScalar(one, one.count - count) { count -= 1 }
    return count
  }

  /// How many units of UTF-16, in which a browser counts, these bytes of UTF-8 are.
  static func utf16Count(_ bytes: some Sequence<UInt8>) -> Int {
    bytes.reduce(0) { $0 + ($1 & 0xC0 == 0x80 ? 0 : 1) + ($1 >= 0xF0 ? 1 : 0) }
  }

  private static func word(_ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
  }

  private static func isInsideScalar(_ bytes: UnsafeRawBufferPointer, _ place: Int) -> Bool {
    place < bytes.count && bytes[place] & 0xC0 == 0x80
  }
}
