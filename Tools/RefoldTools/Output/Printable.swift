import Sections

typealias DisplayWidth = Sections.DisplayWidth
typealias Printable = Sections.Printable

extension Printable {
  /// `1 event`, `1,234 events`.
  static func counted(_ count: Int, _ noun: String) -> String {
    "\(grouped(count)) \(noun)\(count == 1 ? "" : "s")"
  }

  /// `1536` as `1.5 KiB`.
  static func bytes(_ count: Int64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var (value, unit) = (Double(count), 0)
    while value >= 1024, unit < units.count - 1 { (value, unit) = (value / 1024, unit + 1) }
    if unit == 0 { return "\(count) B" }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// Lines of text made fit for a terminal, with their line feeds and the colours that are ours:
  /// what `line` shows as `\u{…}` is shown so, but for a code of colour of one or two digits.
  static func coloredLines(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return text }
    var lines = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.first {
      if scalar == "\u{1B}", let code = colorCode(rest) {
        lines.unicodeScalars.append(contentsOf: code)
        rest = rest.dropFirst(code.count)
        continue
      }
      rest.removeFirst()
      if scalar != "\n", isDangerous(scalar) {
        lines += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        lines.unicodeScalars.append(scalar)
      }
    }
    return lines
  }

  /// The code of colour that `text` begins with.
  private static func colorCode(
    _ text: Substring.UnicodeScalarView
  ) -> Substring.UnicodeScalarView? {
    guard text.dropFirst().first == "[" else { return nil }
    let digits = text.dropFirst(2).prefix(3).prefix { ("0"..."9").contains($0) }
    guard (1...2).contains(digits.count), text.dropFirst(2 + digits.count).first == "m" else {
      return nil
    }
    return text.prefix(digits.count + 3)
  }

  /// JSON made fit for a terminal, and still the same JSON: what `line` shows as `\u{…}` is written
  /// as JSON's own escapes.
  static func json(_ bytes: [UInt8]) -> [UInt8] {
    if bytes.allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) { return bytes }
    var line = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      if scalar != "\n", isDangerous(scalar) {
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          line += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return Array(line.utf8)
  }
}
