/// Text from outside made fit for a terminal.
enum Printable {
  /// `text` on one line, with control characters, line separators, and what turns the direction of
  /// writing around, shown as `\u{…}`.
  static func line(_ text: String) -> String {
    if !text.unicodeScalars.contains(where: isDangerous) { return text }
    var line = ""
    for scalar in text.unicodeScalars {
      if isDangerous(scalar) {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// The UTF-8 text of `bytes`, made fit in the same way.
  static func line(_ bytes: some Collection<UInt8>) -> String {
    line(String(decoding: bytes, as: UTF8.self))
  }

  /// `text` cut to `width` columns, with an ellipsis where it was longer.
  static func cut(_ text: String, to width: Int?) -> String {
    guard let width, DisplayWidth.of(text) > width else { return text }
    var (kept, columns) = ("", 0)
    for character in text {
      columns += DisplayWidth.of(character)
      if columns > max(0, width - 1) { break }
      kept.append(character)
    }
    return kept + "…"
  }

  /// `text` with spaces to `width` columns, on the left where it is aligned to the right.
  static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    return right ? spaces + text : text + spaces
  }

  /// `1234567` as `1,234,567`.
  static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

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

  private static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Bidirectional controls and their like; a zero-width joiner inside an emoji is harmless.
    case .format: scalar.value != 0x200D
    default: false
    }
  }
}
