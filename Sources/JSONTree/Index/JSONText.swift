/// The text of JSON strings: out of its escapes, and into them.
package enum JSONText {
  static func hexValue(_ digit: UInt8) -> UInt32? {
    switch digit {
    case 0x30...0x39: UInt32(digit) - 0x30
    case 0x41...0x46: UInt32(digit) - 0x37
    case 0x61...0x66: UInt32(digit) - 0x57
    default: nil
    }
  }

  /// The string whose content, between its quotation marks, is `content`, which a parse has proved.
  /// - Complexity: O(n) in its bytes.
  package static func string(_ content: UnsafeRawBufferPointer, escaped: Bool) -> String {
    guard escaped else { return String(decoding: content, as: UTF8.self) }
    return String(unsafeUninitializedCapacity: content.count) { unescape(content, into: $0) }
  }

  /// The bytes of the string, without its escapes.
  package static func bytes(_ content: UnsafeRawBufferPointer, escaped: Bool) -> [UInt8] {
    guard escaped else { return [UInt8](content) }
    return [UInt8](unsafeUninitializedCapacity: content.count) { buffer, count in
      count = unescape(content, into: buffer)
    }
  }

  /// Writes the unescaped bytes, which are never more than the escaped ones.
  /// - Returns: how many were written.
  private static func unescape(
    _ content: UnsafeRawBufferPointer, into buffer: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    var (read, written) = (0, 0)
    while read < content.count {
      let end = JSONTextRun.end(in: content, from: read, at: JSONTextRun.hasBackslash)
      if end > read {
        let rest = UnsafeMutableRawBufferPointer(
          rebasing: UnsafeMutableRawBufferPointer(buffer)[written...])
        rest.copyMemory(from: UnsafeRawBufferPointer(rebasing: content[read..<end]))
        (read, written) = (end, written + end - read)
        continue
      }
      let scalar = escapedScalar(content, at: &read)
      for byte in UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter {
        buffer[written] = byte
        written += 1
      }
    }
    return written
  }

  private static func escapedScalar(
    _ content: UnsafeRawBufferPointer, at read: inout Int
  ) -> UnicodeScalar {
    let letter = content[read + 1]
    guard letter == UInt8(ascii: "u") else {
      read += 2
      return UnicodeScalar(plainEscape(letter))
    }
    var code = hexUnit(content, at: read + 2)
    read += 6
    if (0xD800...0xDBFF).contains(code), read + 6 <= content.count {
      code = 0x10000 + (code - 0xD800) << 10 + (hexUnit(content, at: read + 2) & 0x3FF)
      read += 6
    }
    return UnicodeScalar(code) ?? "\u{FFFD}"
  }

  private static func hexUnit(_ content: UnsafeRawBufferPointer, at place: Int) -> UInt32 {
    (place..<place + 4).reduce(0) { $0 << 4 | (hexValue(content[$1]) ?? 0) }
  }

  private static func plainEscape(_ letter: UInt8) -> UInt8 {
    switch letter {
    case UInt8(ascii: "b"): 0x08
    case UInt8(ascii: "f"): 0x0C
    case UInt8(ascii: "n"): 0x0A
    case UInt8(ascii: "r"): 0x0D
    case UInt8(ascii: "t"): 0x09
    default: letter
    }
  }
}

extension JSONText {
  /// Appends `string` in quotation marks, escaping only what must be: `"`, `\` and the control
  /// characters below U+0020.
  /// - Complexity: O(n) in its bytes.
  package static func append(_ string: String, to bytes: inout [UInt8]) {
    var string = string
    string.withUTF8 { append(UnsafeRawBufferPointer($0), to: &bytes) }
  }

  /// Appends the string of these UTF-8 bytes in quotation marks, with the fewest escapes.
  package static func append(_ text: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var plain = 0
    while true {
      let place = JSONTextRun.end(in: text, from: plain, at: JSONTextRun.hasEscaped)
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: text[plain..<place]))
      if place == text.count { break }
      appendEscape(text[place], to: &bytes)
      plain = place + 1
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Whether the string of these UTF-8 bytes is written without escapes.
  package static func isPlain(_ text: UnsafeRawBufferPointer) -> Bool {
    var place = 0
    while place + 8 <= text.count {
      let word = UInt64(littleEndian: text.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      if hasEscaped(in: word) { return false }
      place += 8
    }
    while place < text.count {
      if mustEscape(text[place]) { return false }
      place += 1
    }
    return true
  }

  /// Whether one of eight bytes must be escaped. Bytes beyond ASCII need not be.
  private static func hasEscaped(in word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quote = word ^ (ones &* 0x22)
    let backslash = word ^ (ones &* 0x5C)
    let control = (word &- ones &* 0x20) & ~word
    let special = control | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    return special & 0x8080_8080_8080_8080 != 0
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private static func appendEscape(_ byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x20...: bytes.append(byte)
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(byte >> 4 + 0x30)
      bytes.append(byte & 15 < 10 ? byte & 15 + 0x30 : byte & 15 + 0x57)
    }
  }
}

extension JSONText {
  /// Whether two strings are the same bytes. Swift's `==` also holds for strings that differ in
  /// Unicode normalization; JSON strings that do are different.
  package static func equal(_ left: String, _ right: String) -> Bool {
    compare(left, right) == 0
  }

  /// Less than 0, 0, or more: the order of their UTF-8 bytes.
  package static func compare(_ left: String, _ right: String) -> Int {
    var (left, right) = (left, right)
    return left.withUTF8 { left in
      right.withUTF8 { compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer($0)) }
    }
  }

  /// Less than 0, 0, or more: the order of the bytes, a prefix before what it starts.
  package static func compare(
    _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer
  ) -> Int {
    let common = min(left.count, right.count)
    var place = 0
    while place + 8 <= common {
      let one = UInt64(bigEndian: left.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      let other = UInt64(bigEndian: right.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      if one != other { return one < other ? -1 : 1 }
      place += 8
    }
    while place < common {
      if left[place] != right[place] { return Int(left[place]) - Int(right[place]) }
      place += 1
    }
    return left.count - right.count
  }
}

extension JSONText {
  /// Hashes the bytes of a string, for those that compare by bytes.
  static func hash(_ text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    hasher.combine(0xFF as UInt8)
  }
}
