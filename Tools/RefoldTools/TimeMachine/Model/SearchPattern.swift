import JSONTree

/// What a person searches for: plain text; without a capital letter, in either case.
struct SearchPattern: Sendable {
  let text: String
  private let count: Int
  private let pattern: BytePattern

  /// A pattern of `text`; nil where it is empty.
  init?(_ text: String) {
    guard !text.isEmpty else { return nil }
    self.text = text
    let ignoresCase = !text.contains { $0.isUppercase }
    let needle = Array((ignoresCase ? text.lowercased() : text).utf8)
    count = needle.count
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
    var (ranges, start) = ([Range<String.Index>](), 0)
    Array(text.utf8).withUnsafeBytes { bytes in
      while let offset = pattern.firstOffset(in: .init(rebasing: bytes[start...])) {
        let lower = text.utf8.index(text.startIndex, offsetBy: start + offset)
        ranges.append(lower..<text.utf8.index(lower, offsetBy: count))
        start += offset + count
      }
    }
    return ranges
  }
}

extension SearchPattern: Hashable {
  static func == (left: SearchPattern, right: SearchPattern) -> Bool { left.text == right.text }

  func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
