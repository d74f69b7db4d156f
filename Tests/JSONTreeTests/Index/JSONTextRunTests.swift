import JSONTree
import Testing

/// Text is escaped and unescaped eight bytes at a time.
@Suite struct JSONTextRunTests {
  private static let specials: [(Character, String)] = [
    ("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{0}", "\\u0000"), ("\u{1F}", "\\u001f"),
  ]
  /// What lies just beside the specials, and beyond ASCII.
  private static let plain = Array("!#[] \u{7F}aüß😀")

  @Test func whatever_must_be_escaped_is_wherever_it_stands() throws {
    for length in 0..<20 {
      for place in 0...length {
        for (special, escaped) in Self.specials {
          let text = (0..<length).map { Self.plain[$0 % Self.plain.count] }
          let (before, after) = (String(text[..<place]), String(text[place...]))
          for count in [1, 2, 9] {
            let value = before + String(repeating: special, count: count) + after
            let written = "\"" + before + String(repeating: escaped, count: count) + after + "\""
            try #require(JSONValue.string(value).description == written)
            try #require(try JSONValue(parsing: written) == .string(value))
          }
        }
      }
    }
  }
}
