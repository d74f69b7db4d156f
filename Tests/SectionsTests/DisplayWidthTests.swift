import Sections
import Testing

@Suite("The width of text")
struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("한글", 4), ("e\u{301}", 1), ("ｱ", 1), ("Ａ", 2), ("𗀀", 2), ("\u{18CD5}", 2),
    ("𛀀", 2), ("\u{1B122}", 2), ("🈁", 2), ("䷀", 2), ("\u{1100}\u{1161}\u{11A8}", 2),
    ("\u{1161}", 0),
    ("👩‍👩‍👧‍👦", 2), ("🇰🇷", 2), ("☝🏽", 2), ("❤", 1), ("❤\u{FE0F}", 2), ("1\u{FE0F}\u{20E3}", 2),
    ("1\u{FE0F}", 1), ("a\u{FE0F}", 1), ("\u{7F}", 0),
  ])
  func is_that_of_a_terminal(_ text: String, _ columns: Int) {
    #expect(DisplayWidth.of(text) == columns, "\(text)")
  }

  @Test func of_a_character_is_at_most_two() {
    for text in ["क्ष्म्य", "\u{1100}\u{1100}\u{1100}\u{1161}", "👩‍👩‍👧‍👦", "e\u{301}\u{302}"] {
      for character in text { #expect(DisplayWidth.of(character) <= 2, "\(text)") }
    }
  }

  @Test(arguments: [
    "\u{115F}", "\u{1160}", "\u{3164}", "\u{FFA0}", "\u{200D}", "\u{200B}", "\u{AD}",
  ])
  func what_nobody_sees_is_shown_escaped(_ filler: String) {
    let code = String(filler.unicodeScalars.reduce(0) { $0 + $1.value }, radix: 16)
    let shown = "\\u{\(code)}"
    #expect(Printable.line(filler) == shown)
    #expect(Printable.line("a\(filler)b \(filler)") == "a\(shown)b \(shown)")
    #expect(Printable.line("가\(filler)") == "가\(shown)")
  }

  @Test(arguments: ["👩‍👩‍👧‍👦", "❤\u{FE0F}‍🔥", "ක්‍ර", "🏳\u{FE0F}‍🌈"])
  func a_joiner_that_joins_stays(_ text: String) {
    #expect(text.unicodeScalars.contains("\u{200D}"))
    #expect(Printable.line(text) == text)
  }
}

#if canImport(Glibc)
  @Suite("The width of text, measured by the C library")
  struct LibcWidthTests {
    let libc: LibcWidth

    init() throws { libc = try LibcWidth() }

    /// Where the library may differ, and why.
    private static let known: [ClosedRange<UInt32>] = [
      // Wide since Unicode 16, which the library may not have yet.
      0x2630...0x2637, 0x268A...0x268F, 0x4DC0...0x4DFF, 0x1D300...0x1D356, 0x1D360...0x1D376,
      // Ambiguous by Unicode, wide by the library's own rule.
      0x3248...0x324F,
      // Spaced in Unicode 14 and before and since 16, or the other way round.
      0x1171E...0x1171E,
      // The library has not always taken what joins a syllable of Hangul as one with it.
      0xD7B0...0xD7FF,
    ]

    @Test func is_the_same_for_every_scalar_that_is_shown() {
      var compared = 0
      var differences: [String] = []
      for value in UInt32(0x20)...0x10FFFF {
        guard let scalar = Unicode.Scalar(value), !Printable.isDangerous(scalar),
          scalar.properties.generalCategory != .unassigned, let width = libc.of(scalar),
          !Self.known.contains(where: { $0.contains(value) })
        else { continue }
        compared += 1
        if DisplayWidth.of(scalar) != width {
          differences.append(
            "U+\(String(value, radix: 16)): \(DisplayWidth.of(scalar)), not \(width)")
        }
      }
      #expect(compared > 270_000)
      #expect(differences.isEmpty, "\(differences.count): \(differences.prefix(20))")
    }

    /// Without emoji of several scalars, which the library cannot add up.
    private static let texts = [
      "한국어로 쓴 아주 긴 제목입니다", "𗀀𗀁𗀂𘠀 Tangut 𛀀𛀁", "🈁🈂 ｶﾅ Ｆ", "e\u{301} a\u{200D}b", "\u{3164}",
      "\u{115F}\u{1160}", "\u{1100}\u{1161}\u{11A8} \u{1161}", "", "\u{200D}", "안녕 \u{200D}",
      "䷀䷁ plain",
      "\u{FFA0}\u{AD}\u{34F}",
    ]

    @Test(arguments: [24, 40, 77]) func is_the_same_on_every_line_of_a_frame(_ width: Int) {
      for text in Self.texts {
        let cell = Cell(id: "c", title: text, lines: [text], badge: Cell.Badge(text), symbol: text)
        for layout in [SectionLayout.list, .banner] {
          let section = ScreenSection(id: "s", layout: layout, cells: [cell])
          let lines = Screen(title: "", sections: [section]).text(width: width).split(
            separator: "\n"
          )
          .filter { $0.first.map { "╭│├╰".contains($0) } ?? false }
          #expect(lines.count > 2)
          for line in lines { #expect(libc.of(line) == width, "\(line)") }
        }
      }
    }
  }
#endif
