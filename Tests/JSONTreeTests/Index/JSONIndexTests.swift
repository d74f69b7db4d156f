import JSONTree
import Testing

@Suite struct JSONIndexTests {
  @Test(arguments: [
    (#"{"a"1}"#, "expected ':' after the key, found '1' at byte 4"),
    (#"{"a":1,}"#, "expected a key after ',', found '}' at byte 7"),
    (#"{a:1}"#, "expected a key or '}', found 'a' at byte 1"),
    ("[1 2]", "expected ',' or ']', found '2' at byte 3"),
    (#"{"a":1"#, "expected ',' or '}', found the end of the text at byte 6"),
    ("[1,]", "expected a value, found ']' at byte 3"),
    ("", "expected a value, found the end of the text at byte 0"),
    ("1 1", "expected the end after the value, found '1' at byte 2"),
    ("tru", "expected true, found the end of the text at byte 3"),
    ("nulL", "expected null, found 'L' at byte 3"),
    ("01", "expected no digit after a leading 0, found '1' at byte 1"),
    ("-", "expected a digit, found the end of the text at byte 1"),
    ("1.e", "expected a digit after the decimal point, found 'e' at byte 2"),
    ("1e+", "expected a digit of the exponent, found the end of the text at byte 3"),
    ("\u{FEFF}1", "expected a value, found a byte order mark at byte 0"),
    ("[\u{E9}]", "expected a value, found the byte 0xC3 at byte 1"),
    ("\"a\u{0}\"", "a string must not hold the bare control character U+0000 at byte 2"),
    ("\"a\n\"", "a string must not hold the bare control character U+000A at byte 2"),
    ("\"abc", "expected '\"' at the end of the string, found the end of the text at byte 4"),
    (#""\x""#, #"expected one of \" \\ \/ \b \f \n \r \t \u0000 as an escape at byte 1"#),
    (#""\u12G4""#, #"expected four hexadecimal digits after \u at byte 1"#),
    (
      #""a\uD800""#, "an escaped surrogate without its partner, which is no character, at byte 2"
    ),
    (#""\uDC00""#, "an escaped surrogate without its partner, which is no character, at byte 1"),
    (
      #""\uD800\u0041""#,
      "an escaped surrogate without its partner, which is no character, at byte 1"
    ),
  ])
  func a_refusal_says_what_was_expected_and_where(_ text: String, _ message: String) {
    let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    #expect(error?.description == message)
  }

  @Test(arguments: [
    [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF],
    [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0x80], [0xFF],
    [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x98], [0xE2, 0x28, 0xA1], [0xC3, 0x22],
  ])
  func bytes_that_are_not_utf8_are_refused(_ bytes: [UInt8]) {
    for padding in 0..<9 {
      let text = [0x22] + [UInt8](repeating: 0x61, count: padding) + bytes + [0x22]
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
      #expect(error?.description == "the string is not valid UTF-8 at byte \(padding + 1)")
    }
  }

  /// Strings are looked at eight bytes at a time: whatever is special must be seen at each place.
  @Test func every_scalar_is_kept_at_every_place_of_a_string() throws {
    let scalars: [UnicodeScalar] = [
      "\"", "\\", "\u{0}", "\u{1F}", " ", "!", "#", "[", "]", "\u{7F}", "\u{80}", "\u{7FF}",
      "\u{800}", "\u{2028}", "\u{D7FF}", "\u{E000}", "\u{FFFF}", "\u{10000}", "\u{10FFFF}",
    ]
    for scalar in scalars {
      for place in 0..<20 {
        let text = String(repeating: "x", count: place) + String(scalar) + "yz"
        let bytes = JSONValue.string(text).serialized
        #expect(try JSONValue(parsing: bytes) == .string(text))
      }
    }
  }

  @Test func nesting_is_bounded_and_costs_no_stack() throws {
    let limit = JSONIndex.maximumDepth
    func nested(_ depth: Int) -> [UInt8] {
      Array(repeating: UInt8(ascii: "["), count: depth)
        + Array(repeating: UInt8(ascii: "]"), count: depth)
    }
    #expect(try JSONValue(parsing: nested(limit)).serialized == nested(limit))
    for depth in [limit + 1, 100_000] {
      let error = #expect(throws: JSONError.self) { try JSONValue(parsing: nested(depth)) }
      #expect(
        error?.description == "arrays and objects nested deeper than 512 levels at byte \(limit)")
    }
  }

  @Test func one_index_serves_many_texts() throws {
    var index = JSONIndex()
    for (text, nodes) in [(#"{"a":[1,2]}"#, 5), ("7", 1), (#"{"a":{"b":{}}}"#, 5)] {
      try index.parse(Array(text.utf8).span.bytes)
      #expect(index.nodes.count == nodes)
    }
    #expect(throws: JSONError.self) { try index.parse([UInt8(ascii: "[")].span.bytes) }
    #expect(index.nodes.isEmpty)
  }

  @Test func nodes_tell_where_values_are_and_what_follows_them() throws {
    let text = Array(#" {"a" : [1, 2.5], "\u0062":"c"} "#.utf8)
    var index = JSONIndex()
    try index.parse(text.span.bytes)
    let texts = index.nodes.map { String(decoding: text[$0.range], as: UTF8.self) }
    #expect(
      texts == [
        #"{"a" : [1, 2.5], "\u0062":"c"}"#, #""a""#, "[1, 2.5]", "1", "2.5", #""\u0062""#, #""c""#,
      ])
    #expect(index.nodes.map(\.next) == [7, 2, 5, 4, 5, 6, 7])
    #expect(index.count(of: 0) == 2)
    #expect(index.count(of: 2) == 2)
  }

  @Test(arguments: [2, 8, 9, 100])
  func a_repeated_key_is_found_among_many_however_it_is_written(members: Int) throws {
    let keys = (0..<members).map { #""key\#($0)":\#($0)"# }
    let repeated = #""\u006bey1":true"#
    let text = "{" + (keys + [repeated]).joined(separator: ",") + "}"
    let error = #expect(throws: JSONError.self) {
      try JSONValue(parsing: text, duplicateKeys: .refused)
    }
    let offset = text.utf8.count - repeated.utf8.count - 1
    #expect(error == .duplicateKey("key1", offset: offset))
    #expect(try JSONValue(parsing: text)["key1"] == true)
  }
}
