import EventStoreTesting
import JSONTree
import Testing

@Suite struct BytePatternTests {
  private func place(of pattern: String, in text: String, ignoresCase: Bool = false) -> Int? {
    let pattern = BytePattern(pattern.utf8, ignoresCase: ignoresCase)
    return Array(text.utf8).withUnsafeBytes { pattern.firstOffset(in: $0) }
  }

  @Test func finds_the_first_place_that_looking_everywhere_finds() {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<5000 {
      let text = (0..<random.below(12)).map { _ in UInt8(97 + random.below(3)) }
      let pattern = (0..<random.below(4)).map { _ in UInt8(97 + random.below(3)) }
      let expected = (0...text.count).first { text[$0...].starts(with: pattern) }
      let found = text.withUnsafeBytes { BytePattern(pattern).firstOffset(in: $0) }
      #expect(found == expected, "\(pattern) in \(text)")
    }
  }

  @Test func letters_are_found_in_either_case_where_case_is_ignored() {
    #expect(place(of: "Hello", in: "say hELLO", ignoresCase: true) == 4)
    #expect(place(of: "Hello", in: "say hELLO") == nil)
    #expect(place(of: "[a]", in: "{A}[A]", ignoresCase: true) == 3)
    #expect(place(of: "", in: "") == 0)
    #expect(place(of: "a", in: "") == nil)
  }
}
