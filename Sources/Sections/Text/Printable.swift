/// Text from outside made fit for a terminal.
public enum Printable {
  /// `text` on one line, with control characters, line separators, letters that nobody sees, and what
  /// turns the direction of writing around, shown as `\u{…}`; so is a joiner that joins nothing.
  /// - Complexity: O(n) for n characters.
  public static func line(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
    let scalars = text.unicodeScalars
    if !scalars.contains(where: { isDangerous($0) || $0 == joiner }) { return text }
    var line = ""
    var before: Unicode.Scalar?
    var rest = scalars[...]
    while let scalar = rest.popFirst() {
      if isDangerous(scalar)
        || scalar == joiner && !(canBeJoined(before) && canBeJoined(rest.first))
      {
        line += "\\u{\(String(scalar.value, radix: 16))}"
      } else {
        line.unicodeScalars.append(scalar)
      }
      before = scalar
    }
    return line
  }

  /// What makes one emoji of several, and letters of some scripts touch.
  private static let joiner: Unicode.Scalar = "\u{200D}"

  private static func canBeJoined(_ scalar: Unicode.Scalar?) -> Bool {
    guard let scalar, !scalar.isASCII, scalar != joiner, !isDangerous(scalar) else { return false }
    return !scalar.properties.isWhitespace
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

  /// Whether a terminal, or the eye, would act on `scalar` instead of showing it, or terminals differ
  /// in whether it takes room, although there is nothing to see.
  public static func isDangerous(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    return switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    // Bidirectional controls and their like; a zero-width joiner inside an emoji is harmless.
    case .format: scalar.value != 0x200D
    // The fillers of Hangul.
    case .otherLetter, .unassigned: scalar.properties.isDefaultIgnorableCodePoint
    default: false
    }
  }
}
