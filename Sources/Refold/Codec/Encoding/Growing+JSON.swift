import JSONTree

extension Growing<UInt8> {
  mutating func append(_ text: StaticString) {
    append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { append(contentsOf: $0) }
  }

  /// Appends `text` as a JSON string, with the fewest escapes.
  /// - Returns: whether there are any.
  @discardableResult
  mutating func append(quoted text: String) -> Bool {
    var text = text
    return text.withUTF8 { text in
      let isPlain = JSONText.isPlain(UnsafeRawBufferPointer(text))
      if isPlain {
        append(UInt8(ascii: "\""))
        append(contentsOf: text)
        append(UInt8(ascii: "\""))
      } else {
        var quoted: [UInt8] = []
        JSONText.append(UnsafeRawBufferPointer(text), to: &quoted)
        quoted.withUnsafeBufferPointer { append(contentsOf: $0) }
      }
      return !isPlain
    }
  }

  @inline(__always)
  mutating func append(isNegative: Bool, _ magnitude: UInt64) {
    if isNegative { append(UInt8(ascii: "-")) }
    if magnitude < 10 { return append(UInt8(truncatingIfNeeded: magnitude) + 0x30) }
    append(digits: magnitude)
  }

  private mutating func append(digits magnitude: UInt64) {
    let start = count
    var rest = magnitude
    repeat {
      append(UInt8(truncatingIfNeeded: rest % 10) + 0x30)
      rest /= 10
    } while rest > 0
    var (left, right) = (start, count - 1)
    while left < right {
      (self[left], self[right]) = (self[right], self[left])
      (left, right) = (left + 1, right - 1)
    }
  }
}
