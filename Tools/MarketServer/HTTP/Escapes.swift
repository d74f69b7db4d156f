/// Percent-encoding, the way out.
enum Escapes {
  /// The text that `escaped` stands for; nil where an escape or the UTF-8 behind it is broken.
  static func decoded(_ escaped: Substring, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = escaped.utf8[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(digit), let low = rest.popFirst().flatMap(digit)
        else { return nil }
        bytes.append(high << 4 | low)
      case UInt8(ascii: "+") where plusIsSpace: bytes.append(UInt8(ascii: " "))
      default: bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
  }
}
