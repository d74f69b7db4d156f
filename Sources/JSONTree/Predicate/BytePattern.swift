/// Bytes to look for in other bytes, by Horspool's algorithm: after a mismatch the byte under the
/// pattern's end tells how far it can move.
package struct BytePattern: Sendable {
  private let pattern: [UInt8]
  /// How far to move for each byte under the end.
  private let steps: [Int]
  /// What bytes are taken for, where upper and lower case are the same.
  private let folded: [UInt8]?

  /// A pattern of `bytes`; where `ignoresCase`, letters of ASCII are found in either case.
  package init(_ bytes: some Sequence<UInt8>, ignoresCase: Bool = false) {
    pattern = bytes.map { ignoresCase ? Self.lowered($0) : $0 }
    var steps = [Int](repeating: max(1, pattern.count), count: 256)
    for (place, byte) in pattern.dropLast().enumerated() {
      steps[Int(byte)] = pattern.count - 1 - place
    }
    folded = ignoresCase ? (0...255).map { Self.lowered($0) } : nil
    self.steps = (0..<256).map { steps[Int(ignoresCase ? Self.lowered(UInt8($0)) : UInt8($0))] }
  }

  private static func lowered(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// Where the pattern is first found, nil where it is nowhere. An empty one is found at 0.
  /// - Complexity: O(n) as a rule, O(n × m) for a pattern of m bytes at worst.
  package func firstOffset(in text: UnsafeRawBufferPointer) -> Int? {
    guard let last = pattern.last else { return 0 }
    return pattern.withUnsafeBufferPointer { pattern in
      var end = pattern.count - 1
      while end < text.count {
        let byte = text[end]
        if fold(byte) == last, matches(text, pattern, from: end - pattern.count + 1) {
          return end - pattern.count + 1
        }
        end += steps[Int(byte)]
      }
      return nil
    }
  }

  private func fold(_ byte: UInt8) -> UInt8 { folded.map { $0[Int(byte)] } ?? byte }

  private func matches(
    _ text: UnsafeRawBufferPointer, _ pattern: UnsafeBufferPointer<UInt8>, from start: Int
  ) -> Bool {
    for place in pattern.indices where fold(text[start + place]) != pattern[place] { return false }
    return true
  }
}
