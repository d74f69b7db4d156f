import EventStoreTesting
import JSONTree

@testable import RefoldTools

/// A search finds what looking at every place finds.
///
/// Input: a pattern, a line feed, what is looked through.
enum SearchProperties {
  static func check(_ input: [UInt8]) throws {
    let (needle, text) = parts(of: input)
    try checkBytes(needle, in: text)
    let pattern = String(decoding: needle, as: UTF8.self)
    try checkText(pattern, in: String(decoding: text, as: UTF8.self))
    for ignoresCase in [false, true] {
      guard
        let search = try? TextPattern(pattern, isRegex: false, ignoresCase: ignoresCase)
      else {
        try require(pattern.isEmpty, "\(pattern.debugDescription) is no pattern")
        continue
      }
      var payloads = PayloadSearch(search)
      let match = payloads.firstMatch(in: text.span.bytes)
      let isThere = naive(Array(pattern.utf8), in: text, ignoresCase: false) != nil
      try require(match != nil || !isThere, "\(shown(needle)) is not found in \(shown(text))")
    }
  }

  private static func checkBytes(_ needle: [UInt8], in text: [UInt8]) throws {
    for ignoresCase in [false, true] {
      let pattern = BytePattern(needle, ignoresCase: ignoresCase)
      let found = text.withUnsafeBytes { pattern.firstOffset(in: $0) }
      try require(
        found == naive(needle, in: text, ignoresCase: ignoresCase),
        "\(shown(needle)) in \(shown(text)): at \(found.map(String.init) ?? "no place")")
    }
  }

  private static func naive(_ needle: [UInt8], in text: [UInt8], ignoresCase: Bool) -> Int? {
    guard needle.count <= text.count else { return nil }
    func folded(_ byte: UInt8) -> UInt8 {
      ignoresCase && (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
    return (0...text.count - needle.count).first { start in
      needle.indices.allSatisfy { folded(text[start + $0]) == folded(needle[$0]) }
    }
  }

  /// What the time machine highlights is what was looked for, in whole characters or none.
  private static func checkText(_ pattern: String, in text: String) throws {
    guard let search = SearchPattern(pattern) else {
      return try require(pattern.isEmpty, "\(pattern.debugDescription) is no pattern")
    }
    let ranges = search.ranges(in: text)
    try require(
      ranges.isEmpty == !search.matches(text), "\(pattern.debugDescription) matches at no place")
    for (one, other) in zip(ranges, ranges.dropFirst()) {
      try require(one.upperBound <= other.lowerBound, "matches of \(pattern) overlap")
    }
    for range in ranges {
      try require(
        String(text[range]).lowercased().utf8.elementsEqual(pattern.lowercased().utf8)
          || text.utf8[range].count == pattern.utf8.count
          || text.utf8[range].count == pattern.lowercased().utf8.count,
        "\(text[range].debugDescription) is no match of \(pattern.debugDescription)")
    }
  }
}
