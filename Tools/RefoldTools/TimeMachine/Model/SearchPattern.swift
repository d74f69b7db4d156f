import JSONTree

/// What a person searches for: plain text; without a capital letter, in either case.
struct SearchPattern: Sendable {
  let text: String
  private let needle: [UInt8]
  private let ignoresCase: Bool
  private let pattern: BytePattern

  /// A pattern of `text`; nil where it is empty.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    ignoresCase = !text.contains { $0.isUppercase }
    needle = Array((ignoresCase ? text.lowercased() : text).utf8)
    pattern = BytePattern(needle, ignoresCase: ignoresCase)
  }

  /// Whether `bytes`, UTF-8 text, hold the pattern. Letters beyond ASCII count in their own case.
  func matches(_ bytes: UnsafeRawBufferPointer) -> Bool { pattern.firstOffset(in: bytes) != nil }

  /// Whether `text` holds the pattern.
  func matches(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { matches(UnsafeRawBufferPointer($0)) }
  }

  /// Where the pattern stands in `text`, from left to right.
  func ranges(in text: String) -> [Range<String.Index>] {
    let utf8 = Array(text.utf8)
    guard utf8.count >= needle.count else { return [] }
    var (ranges, start) = ([Range<String.Index>](), 0)
    utf8.withUnsafeBytes { bytes in
      while start <= bytes.count - needle.count {
        guard hasNeedle(bytes, at: start) else {
          start += 1
          continue
        }
        let lower = text.utf8.index(text.startIndex, offsetBy: start)
        ranges.append(lower..<text.utf8.index(lower, offsetBy: needle.count))
        start += needle.count
      }
    }
    return ranges
  }

  private func hasNeedle(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Bool {
    for (offset, byte) in needle.enumerated() {
      let found = bytes[start + offset]
      if found != byte, !(ignoresCase && Self.small(found) == byte) { return false }
    }
    return true
  }

  private static func small(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte + 0x20 : byte
  }
}

extension SearchPattern: Hashable {
  static func == (left: SearchPattern, right: SearchPattern) -> Bool { left.text == right.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
