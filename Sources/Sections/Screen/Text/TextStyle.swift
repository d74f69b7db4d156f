/// How text stands out on a terminal; in plain text it does not.
enum TextStyle: Int {
  case plain = 0
  case bold = 1
  case dim = 2
  case inverse = 7
  case red = 31
  case yellow = 33
  case blue = 34
}

/// A pen that writes with colours, or without.
struct TextPen {
  let isColored: Bool

  func write(_ text: String, _ style: TextStyle) -> String {
    isColored && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}
