/// A place in the bytes of a JSON text, and the grammar of its tokens.
struct JSONScanner {
  private let base: UnsafeRawPointer
  private let count: Int
  /// The next byte to read.
  private(set) var offset = 0

  init(_ buffer: UnsafeRawBufferPointer) {
    // An empty buffer has no address; nothing is ever read from the one that stands in for it.
    base = buffer.baseAddress ?? UnsafeRawPointer(StaticString("").utf8Start)
    count = buffer.count
  }
}

extension JSONScanner {
  var isAtEnd: Bool { offset >= count }

  /// The byte here; 0, which no grammar rule accepts, at the end.
  var current: UInt8 { byte(at: offset) }

  mutating func advance() { offset += 1 }

  @inline(__always)
  mutating func skipWhitespace() {
    if current <= 0x20 { skipLongWhitespace() }
  }

  private mutating func skipLongWhitespace() {
    while true {
      switch current {
      case 0x20, 0x0A, 0x0D, 0x09: offset += 1
      default: return
      }
    }
  }

  /// The error that names what was expected here, and shows what is here.
  func unexpected(_ expected: String) -> JSONError {
    .syntax(offset: offset, expected: expected, found: found)
  }

  private var found: String {
    guard !isAtEnd else { return "the end of the text" }
    if offset == 0, current == 0xEF, byte(at: 1) == 0xBB, byte(at: 2) == 0xBF {
      return "a byte order mark"
    }
    if (0x20...0x7E).contains(current) { return "'\(Character(UnicodeScalar(current)))'" }
    return "the byte 0x" + String(current, radix: 16, uppercase: true)
  }

  private func byte(at place: Int) -> UInt8 {
    place < count ? base.load(fromByteOffset: place, as: UInt8.self) : 0
  }
}

extension JSONScanner {
  mutating func skipLiteral(_ word: StaticString) throws(JSONError) {
    let start = offset
    for place in 0..<word.utf8CodeUnitCount {
      guard !isAtEnd, current == word.utf8Start[place] else {
        let failure = unexpected("\(word)")
        offset = start
        throw failure
      }
      offset += 1
    }
  }

  /// - Returns: whether the number is of digits alone.
  mutating func skipNumber() throws(JSONError) -> Bool {
    if current == UInt8(ascii: "-") { offset += 1 }
    if current == UInt8(ascii: "0") {
      offset += 1
      guard !isDigit(current) else { throw unexpected("no digit after a leading 0") }
    } else {
      try skipDigits("a digit")
    }
    let end = offset
    if current == UInt8(ascii: ".") {
      offset += 1
      try skipDigits("a digit after the decimal point")
    }
    if current | 0x20 == UInt8(ascii: "e") {
      offset += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { offset += 1 }
      try skipDigits("a digit of the exponent")
    }
    return end == offset
  }

  private mutating func skipDigits(_ expected: String) throws(JSONError) {
    guard isDigit(current) else { throw unexpected(expected) }
    repeat { offset += 1 } while isDigit(current)
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }
}

extension JSONScanner {
  /// Skips a string from its opening to after its closing quotation mark.
  /// - Returns: whether it holds escapes.
  mutating func skipString() throws(JSONError) -> Bool {
    offset += 1
    var isEscaped = false
    while true {
      skipPlainText()
      switch current {
      case UInt8(ascii: "\""):
        offset += 1
        return isEscaped
      case UInt8(ascii: "\\"):
        isEscaped = true
        try skipEscape()
      case 0x80...: try skipMultibyteScalar()
      case 0x20...: offset += 1
      default: throw isAtEnd ? unexpected("'\"' at the end of the string") : controlCharacter()
      }
    }
  }

  /// Skips eight bytes at a time while none of them needs a closer look.
  private mutating func skipPlainText() {
    while offset + 8 <= count {
      let word = UInt64(
        littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
      let special = Self.specialBytes(in: word)
      guard special == 0 else {
        offset += special.trailingZeroBitCount >> 3
        return
      }
      offset += 8
    }
  }

  /// A word with the top bit set in the first byte that ends plain text: a quotation mark, a
  /// backslash, a control character, or a byte beyond ASCII. Bits above the first may be wrong,
  /// because the subtraction borrows from them.
  private static func specialBytes(in word: UInt64) -> UInt64 {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let tops: UInt64 = 0x8080_8080_8080_8080
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- ones &* 0x20) & ~word
    return (control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash) | word) & tops
  }

  private func controlCharacter() -> JSONError {
    let code = String(current, radix: 16, uppercase: true)
    let padded = String(repeating: "0", count: 4 - code.count) + code
    return .text(
      offset: offset, reason: "a string must not hold the bare control character U+\(padded)")
  }

  private mutating func skipEscape() throws(JSONError) {
    switch byte(at: offset + 1) {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"),
      UInt8(ascii: "f"), UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      offset += 2
    case UInt8(ascii: "u"): try skipUnicodeEscape()
    default:
      throw .text(
        offset: offset, reason: #"expected one of \" \\ \/ \b \f \n \r \t \u0000 as an escape"#)
    }
  }

  private mutating func skipUnicodeEscape() throws(JSONError) {
    let start = offset
    switch try hexUnit() {
    case 0xDC00...0xDFFF: throw loneSurrogate(at: start)
    case 0xD800...0xDBFF:
      guard current == UInt8(ascii: "\\"), byte(at: offset + 1) == UInt8(ascii: "u"),
        (0xDC00...0xDFFF).contains(try hexUnit())
      else { throw loneSurrogate(at: start) }
    default: break
    }
  }

  /// Reads the four digits of `\uXXXX`.
  private mutating func hexUnit() throws(JSONError) -> UInt32 {
    var unit: UInt32 = 0
    for place in offset + 2..<offset + 6 {
      guard let digit = JSONText.hexValue(byte(at: place)) else {
        throw .text(offset: offset, reason: #"expected four hexadecimal digits after \u"#)
      }
      unit = unit << 4 | digit
    }
    offset += 6
    return unit
  }

  private func loneSurrogate(at place: Int) -> JSONError {
    .text(
      offset: place,
      reason: "an escaped surrogate without its partner, which is no character,")
  }
}

extension JSONScanner {
  /// Skips one scalar of two to four bytes: no overlong form, no surrogate, nothing beyond
  /// U+10FFFF (Unicode, table 3-7).
  private mutating func skipMultibyteScalar() throws(JSONError) {
    let (length, second) = Self.form(of: current)
    guard length > 0, second.contains(byte(at: offset + 1)),
      length < 3 || isContinuation(byte(at: offset + 2)),
      length < 4 || isContinuation(byte(at: offset + 3))
    else { throw .text(offset: offset, reason: "the string is not valid UTF-8") }
    offset += length
  }

  /// The length of a scalar that starts with `lead`, and what its second byte may be.
  private static func form(of lead: UInt8) -> (length: Int, second: ClosedRange<UInt8>) {
    switch lead {
    case 0xC2...0xDF: (2, 0x80...0xBF)
    case 0xE0: (3, 0xA0...0xBF)
    case 0xED: (3, 0x80...0x9F)
    case 0xE1...0xEF: (3, 0x80...0xBF)
    case 0xF0: (4, 0x90...0xBF)
    case 0xF1...0xF3: (4, 0x80...0xBF)
    case 0xF4: (4, 0x80...0x8F)
    default: (0, 0x80...0xBF)
    }
  }

  private func isContinuation(_ byte: UInt8) -> Bool { byte & 0xC0 == 0x80 }
}
