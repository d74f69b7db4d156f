import EventStoreTesting

extension SeededGenerator {
  /// One of `inputs` with a few changes, as a fuzzer makes them: bits and bytes, pieces taken out,
  /// doubled, moved, or taken from another input, and what inputs of text are made of.
  mutating func mutated(_ inputs: [[UInt8]], longest: Int) -> [UInt8] {
    var bytes = pick(inputs)
    for _ in 0...below(4) { mutate(&bytes, with: inputs) }
    return Array(bytes.prefix(longest))
  }

  private mutating func mutate(_ bytes: inout [UInt8], with inputs: [[UInt8]]) {
    let place = below(bytes.count + 1)
    switch below(7) {
    case 0 where place < bytes.count: bytes[place] ^= 1 << UInt8(below(8))
    case 1 where place < bytes.count: bytes[place] = UInt8(below(256))
    case 2: bytes.removeSubrange(stretch(of: bytes))
    case 3: bytes.insert(contentsOf: Array(bytes[stretch(of: bytes)]), at: place)
    case 4:
      let other = pick(inputs)
      bytes.insert(contentsOf: other[stretch(of: other)], at: place)
    case 5:
      let other = pick(inputs)
      bytes = Array(bytes[..<place]) + other[below(other.count + 1)...]
    default: bytes.insert(contentsOf: pick(Self.pieces).utf8, at: place)
    }
  }

  private mutating func stretch(of bytes: [UInt8]) -> Range<Int> {
    let start = below(bytes.count + 1)
    return start..<min(bytes.count, start + below(16))
  }

  private static let pieces = [
    "[", "]", "{", "}", "\"", ",", ":", "\n", "\r\n", "\\", "\\u0000", "\\ud800", "0", "-", "9",
    ".",
    "e9", "1e999", "null", "true", " ", "/", "~0", "~1", "~", "%", "\u{0}", "\u{1B}[", "\u{301}",
    "é",
    "\u{202E}", "😀", "\u{FEFF}", "99999999999999999999", "2026-11-30T08:15:00Z", "not ", " and ",
    "(",
  ]
}
