/// How a cell looks: one of the terminal's own colours, which fit dark and light backgrounds, and
/// attributes that are there without colours, too.
struct CellStyle: Hashable, Sendable {
  /// The base colours that are readable on black and on white.
  enum Color: UInt8, Sendable {
    case standard = 39
    case red = 31
    case green = 32
    case blue = 34
    case magenta = 35
    case cyan = 36
  }

  var color = Color.standard
  var isBold = false
  var isDim = false
  var isReversed = false
  var isUnderlined = false
  /// What was searched for: black on yellow, or underlined where there are no colours.
  var isHit = false

  static let plain = CellStyle()
  static let dim = CellStyle(isDim: true)
  static let bold = CellStyle(isBold: true)
  static let cursor = CellStyle(isReversed: true)

  static func colored(_ color: Color, bold: Bool = false) -> CellStyle {
    CellStyle(color: color, isBold: bold)
  }

  /// This style on the selected row.
  var reversed: CellStyle {
    var style = self
    style.isReversed = true
    style.isDim = false
    return style
  }

  /// This style as part of a hit.
  var hit: CellStyle {
    var style = self
    style.isHit = true
    return style
  }

  /// This style in bold.
  var bolder: CellStyle {
    var style = self
    style.isBold = true
    return style
  }

  /// The sequence that sets exactly this style; without colours, `isColored` being false.
  func sequence(isColored: Bool) -> String {
    var codes = ["0"]
    if isBold || isHit { codes.append("1") }
    if isDim, !isHit { codes.append("2") }
    if isUnderlined || isHit && !isColored { codes.append("4") }
    if isHit, isColored {
      codes += ["30", "43"]
    } else {
      if isReversed { codes.append("7") }
      if isColored, color != .standard { codes.append("\(color.rawValue)") }
    }
    return "\u{1B}[\(codes.joined(separator: ";"))m"
  }
}
