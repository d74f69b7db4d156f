/// Runs of text in which nothing is escaped, found eight bytes at a time.
enum JSONTextRun {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  private static let tops: UInt64 = 0x8080_8080_8080_8080

  /// Where the run that begins at `start` ends: at the first byte that `isEnd` says of, or at the end
  /// of `text`. Given eight bytes, `isEnd` tells whether it holds of any; of a byte, it is given that
  /// one eight times.
  @inline(__always)
  static func end(
    in text: UnsafeRawBufferPointer, from start: Int, at isEnd: (UInt64) -> Bool
  ) -> Int {
    var place = start
    while place + 8 <= text.count {
      if isEnd(text.loadUnaligned(fromByteOffset: place, as: UInt64.self)) { break }
      place += 8
    }
    while place < text.count, !isEnd(UInt64(text[place]) &* ones) { place += 1 }
    return place
  }

  /// Whether one of the bytes is a backslash.
  static func hasBackslash(_ word: UInt64) -> Bool { hasZero(word ^ (ones &* 0x5C)) }

  /// Whether one of the bytes must be escaped: a quotation mark, a backslash, or a control character.
  static func hasEscaped(_ word: UInt64) -> Bool {
    hasControl(word) || hasZero(word ^ (ones &* 0x22)) || hasBackslash(word)
  }

  /// Whether one of the bytes is below 0x20.
  ///
  /// A byte borrows into its own top bit, which it had not set, only if it is below 0x20; a borrow
  /// from the byte before makes that one more, and means that there is one already.
  static func hasControl(_ word: UInt64) -> Bool { (word &- ones &* 0x20) & ~word & tops != 0 }

  /// A byte borrows into its own top bit, which it had not set, only if it is zero, or if one before
  /// it is.
  private static func hasZero(_ word: UInt64) -> Bool { (word &- ones) & ~word & tops != 0 }
}

extension JSONText {
  /// Whether there is a control character: a byte below 0x20.
  /// - Complexity: O(n) in the bytes, eight at a time.
  package static func containsControl(_ text: UnsafeRawBufferPointer) -> Bool {
    JSONTextRun.end(in: text, from: 0, at: JSONTextRun.hasControl) < text.count
  }
}
