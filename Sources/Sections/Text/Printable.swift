/// Text from outside made fit for a terminal.
public enum Printable {
  /// `text` on one line, with control characters, line separators, and what turns the direction of
  /// writing around, shown as `\u{…}`.
  public static func line(_ text: String) -> String {
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
  public static func line(_ bytes: some Collection<UInt8>) -> String {
    line(String(decoding: bytes, as: UTF8.self))
  }

  /// `text` cut to `width` columns, with an ellipsis where it was longer.
  public static func cut(_ text: String, to width: Int?) -> String {
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
  public static func padded(_ text: String, to width: Int, right: Bool = false) -> String {
    let spaces = String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    return right ? spaces + text : text + spaces
  }

  /// `1234567` as `1,234,567`.
  public static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    groups.insert(digits, at: 0)
    return (number < 0 ? "-" : "") + groups.joined(separator: ",")
  }

  /// Whether a terminal, or the eye, would act on `scalar` instead of showing it.
  public static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Bidirectional controls and their like; a zero-width joiner inside an emoji is harmless.
    case .format: scalar.value != 0x200D
    default: false
    }
  }
}
