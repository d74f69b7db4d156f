import EventStoreTesting
import Refold
import Testing

@testable import SampleReactors

@Suite("TextBuffer")
struct TextBufferTests {
  /// One, two, three and four bytes of UTF-8; marks that combine; what Swift takes for one character.
  private static let alphabet: [Unicode.Scalar] =
    ["a", "b", " ", "\n", "\u{0}", "\u{E9}", "\u{301}", "\u{1112}", "\u{20AC}", "\u{1F600}"]
    + ["\u{200D}", "\u{FE0F}", "\u{10FFFF}", "\u{D7FF}", "\u{E000}", "\u{1F1F0}"]

  private static func text(
    of count: Int, _ random: inout SeededGenerator
  ) -> [Unicode.Scalar] {
    let isASCII = Bool.random(using: &random)
    let letters = isASCII ? alphabet.prefix(4) : alphabet[...]
    return (0..<count).compactMap { _ in letters.randomElement(using: &random) }
  }

  private static func string(_ scalars: some Sequence<Unicode.Scalar>) -> String {
    var string = String.UnicodeScalarView()
    string.append(contentsOf: scalars)
    return String(string)
  }

  /// Mostly keystrokes, now and then a paste or a cut.
  private static func size(_ random: inout SeededGenerator) -> Int {
    switch Int.random(in: 0..<20, using: &random) {
    case 0: Int.random(in: 0...5000, using: &random)
    case 1...3: Int.random(in: 0...700, using: &random)
    case 4...8: 0
    default: Int.random(in: 0...3, using: &random)
    }
  }

  @Test(
    "is what an array of scalars is, after every step", arguments: 1...12 as ClosedRange<UInt64>)
  func is_what_an_array_of_scalars_is(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var model: [Unicode.Scalar] = []
    var buffer = TextBuffer()
    var copies: [(TextBuffer, [Unicode.Scalar])] = []
    for step in 0..<300 {
      let start = Int.random(in: 0...model.count, using: &random)
      let end = min(start + Self.size(&random), model.count)
      let inserted = Self.text(of: Self.size(&random), &random)
      if step % 40 == 0 { copies.append((buffer, model)) }
      model.replaceSubrange(start..<end, with: inserted)
      buffer.replaceScalars(in: start..<end, with: Self.string(inserted))
      let isSame =
        buffer.scalarCount == model.count && buffer.brokenInvariant == nil
        && Array(buffer.string.unicodeScalars) == model
      #expect(isSame, "seed \(seed), step \(step): \(buffer.brokenInvariant ?? "other content")")
      if !isSame { return }
    }
    for (buffer, model) in copies { #expect(Array(buffer.string.unicodeScalars) == model) }
    #expect(buffer == TextBuffer(Self.string(model)))
  }

  @Test func typing_and_deleting_one_by_one_leaves_no_crumbs() {
    var buffer = TextBuffer(String(repeating: "0123456789", count: 5000))
    var random = SeededGenerator(seed: 7)
    while buffer.scalarCount > 0 {
      let at = Int.random(in: 0..<buffer.scalarCount, using: &random)
      buffer.replaceScalars(in: at..<at + 1, with: "")
      if buffer.scalarCount % 977 == 0 { #expect(buffer.brokenInvariant == nil) }
    }
    #expect(buffer == TextBuffer())
    #expect(buffer.chunks.isEmpty)
  }

  @Test func a_range_outside_is_clamped() {
    var buffer = TextBuffer("abc")
    buffer.replaceScalars(in: 7..<9, with: "d")
    buffer.replaceScalars(in: -5..<1, with: "A")
    buffer.replaceScalars(in: 2..<Int.max, with: "")
    buffer.replaceScalars(in: Int.min..<Int.min, with: "<")
    #expect(buffer.string == "<Ab")
  }

  @Test func equality_is_by_scalars() {
    #expect(TextBuffer("\u{E9}") != TextBuffer("e\u{301}"))
    #expect("\u{E9}" == "e\u{301}")
    var pieces = TextBuffer()
    for _ in 0..<3000 { pieces.replaceScalars(in: 0..<0, with: "x") }
    #expect(pieces == TextBuffer(String(repeating: "x", count: 3000)))
  }

  @Test func it_is_coded_as_a_string() throws {
    let buffer = TextBuffer("e\u{301}\u{1F600}\"\n")
    let bytes = try EventCodec().encode([buffer])
    #expect(try EventCodec().decode([String].self, from: bytes) == [buffer.string])
    #expect(try EventCodec().decode([TextBuffer].self, from: bytes) == [buffer])
  }
}
