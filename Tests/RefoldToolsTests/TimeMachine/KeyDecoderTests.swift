import Testing

@testable import RefoldTools

@Suite("Keys")
struct KeyDecoderTests {
  /// What a terminal sends, and what it means.
  static let sequences: [(String, Key)] = [
    ("a", .character("a")), (" ", .character(" ")), ("é", .character("é")),
    ("語", .character("語")), ("👍", .character("👍")), ("\r", .enter), ("\t", .tab),
    ("\u{7F}", .backspace), ("\u{08}", .backspace), ("\u{03}", .control("c")),
    ("\u{1A}", .control("z")), ("\u{0C}", .control("l")), ("\u{1B}[A", .up),
    ("\u{1B}[B", .down), ("\u{1B}OC", .right), ("\u{1B}OD", .left), ("\u{1B}[H", .home),
    ("\u{1B}[F", .end), ("\u{1B}[1~", .home), ("\u{1B}[4~", .end), ("\u{1B}[5~", .pageUp),
    ("\u{1B}[6~", .pageDown), ("\u{1B}[3~", .delete), ("\u{1B}[Z", .backTab),
    ("\u{1B}[1;5A", .up), ("\u{1B}[15~", .other), ("\u{1B}[[A", .other),
    ("\u{1B}[200~pasted\u{1B}[A text\u{1B}[201~", .paste("pasted\u{1B}[A text")),
  ]

  @Test func each_sequence_is_its_key() {
    for (text, key) in Self.sequences {
      var decoder = KeyDecoder()
      #expect(decoder.keys(text.utf8) + decoder.flush() == [key], "\(text.debugDescription)")
    }
  }

  @Test func sequences_may_come_in_any_pieces() {
    let all = Array(Self.sequences.map(\.0).joined().utf8)
    let expected = Self.sequences.map(\.1)
    for size in 1...7 {
      var (decoder, keys) = (KeyDecoder(), [Key]())
      for start in stride(from: 0, to: all.count, by: size) {
        keys += decoder.keys(all[start..<min(start + size, all.count)])
      }
      #expect(keys == expected, "in pieces of \(size)")
    }
  }

  @Test func an_escape_alone_is_the_escape_key_when_nothing_follows() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0x1B]).isEmpty)
    #expect(decoder.isWaiting)
    #expect(decoder.flush() == [.escape])
    #expect(!decoder.isWaiting)
    #expect(decoder.keys("\u{1B}\u{1B}[A".utf8) == [.escape, .up])
  }

  @Test func what_is_no_text_and_no_key_is_unknown_and_hides_nothing_behind_it() {
    var decoder = KeyDecoder()
    #expect(decoder.keys([0xFF, 0x61]) == [.other, .character("a")])
    #expect(decoder.keys([0xE2, 0x28, 0x62]) == [.other, .character("("), .character("b")])
    #expect(decoder.keys([0xC0, 0x63]) == [.other, .character("c")])
    // A surrogate written as UTF-8.
    #expect(decoder.keys([0xED, 0xA0, 0x80, 0x64]).last == .character("d"))
    #expect(decoder.keys(Array("\u{1B}[".utf8) + [0x07] + Array("e".utf8)).last == .character("e"))
  }

  @Test func a_sequence_without_an_end_is_given_up() {
    var decoder = KeyDecoder()
    let keys = decoder.keys("\u{1B}[\(String(repeating: "1;", count: 40))".utf8)
    #expect(keys == [.other])
    #expect(decoder.keys("q".utf8) == [.character("q")])
  }

  @Test func a_long_paste_is_cut_and_what_follows_it_is_not() {
    var decoder = KeyDecoder()
    let text = String(repeating: "x", count: KeyDecoder.pasteLimit + 10)
    let keys = decoder.keys("\u{1B}[200~\(text)\u{1B}[201~q".utf8)
    #expect(keys.count == 2)
    #expect(keys.last == .character("q"))
    if case .paste(let pasted) = keys[0] { #expect(pasted.count == KeyDecoder.pasteLimit) }
  }

  @Test func random_bytes_never_trap_and_always_end() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2000 {
      var decoder = KeyDecoder()
      let bytes = (0..<24).map { _ in
        [0x1B, 0x5B, 0x4F, 0x7E, UInt8.random(in: 0...255, using: &generator)]
          .randomElement(using: &generator) ?? 0
      }
      _ = decoder.keys(bytes)
      _ = decoder.flush()
      #expect(!decoder.isWaiting || bytes.contains(0x1B), "\(bytes)")
    }
  }
}
