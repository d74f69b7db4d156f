/// Marbles: a character a frame. `-` nothing, `(ab|)` several things in one frame, `|` the end, `#`
/// an error, `!` the end by cancellation, `^` frame zero of a hot source; anything else is an
/// element. Spaces are there for alignment only.
enum Marble: Equatable, Sendable {
  case element(String)
  case finished
  case failed
  case cancelled

  init(_ character: Character) {
    switch character {
    case "|": self = .finished
    case "#": self = .failed
    case "!": self = .cancelled
    default: self = .element(String(character))
    }
  }

  var text: String {
    switch self {
    case .element(let element): element.count == 1 ? element : "[\(element)]"
    case .finished: "|"
    case .failed: "#"
    case .cancelled: "!"
    }
  }

  /// The marbles of `text` with their frames.
  static func parse(_ text: String) -> [(frame: Int, marble: Marble)] {
    var marbles: [(frame: Int, marble: Marble)] = []
    var (frame, zero, isGroup) = (0, 0, false)
    for character in text where character != " " {
      switch character {
      case "(": isGroup = true
      case ")":
        isGroup = false
        frame += 1
      case "-": frame += 1
      case "^":
        zero = frame
        frame += 1
      default:
        marbles.append((frame, Marble(character)))
        if !isGroup { frame += 1 }
      }
    }
    return marbles.map { ($0.frame - zero, $0.marble) }
  }

  /// `marbles` as text, without the frames after the last one.
  static func text(of marbles: [(frame: Int, marble: Marble)]) -> String {
    var text = ""
    var frame = 0
    var rest = marbles[...]
    while let first = rest.first {
      let group = rest.prefix { $0.frame == first.frame }
      rest = rest.dropFirst(group.count)
      text += String(repeating: "-", count: first.frame - frame)
      let texts = group.map(\.marble.text).joined()
      text += group.count > 1 ? "(\(texts))" : texts
      frame = first.frame + 1
    }
    return text
  }

  /// `text` as `text(of:)` would write it.
  static func trimmed(_ text: String) -> String {
    let marbles = text.filter { $0 != " " }
    return String(marbles.reversed().drop { $0 == "-" }.reversed())
  }
}

extension Marble {
  /// How many frames `text` has, a `[..]` being one element.
  static func frames(of text: String) -> Int {
    var (frames, isInside) = (0, false)
    for character in text {
      if "([".contains(character) { isInside = true }
      if !isInside || ")]".contains(character) { frames += 1 }
      if ")]".contains(character) { isInside = false }
    }
    return frames
  }
}
