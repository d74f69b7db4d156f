import Foundation

/// A line that is being typed at the foot of the screen.
struct Prompt: Sendable {
  /// What the line is for.
  enum Purpose: Sendable {
    case jump
    case searchEvents
    case searchState
    case filter
    case export
    case fork

    var label: String {
      switch self {
      case .jump: "go to (seq, -N, end or time): "
      case .searchEvents: "search events: "
      case .searchState: "search the state: "
      case .filter: "filter (kinds, @cause, words): "
      case .export: "write this state to file: "
      case .fork: "fork here as session: "
      }
    }
  }

  /// What a key did.
  enum Outcome: Equatable {
    case goesOn
    case accepted(String)
    case cancelled
  }

  /// The longest line, in characters.
  static let limit = 1024

  let purpose: Purpose
  private(set) var text: [Character]
  private(set) var cursor: Int

  init(_ purpose: Purpose, text: String = "") {
    self.purpose = purpose
    self.text = Array(text)
    cursor = self.text.count
  }

  mutating func press(_ key: Key) -> Outcome {
    switch key {
    case .character(let character): insert([character])
    case .paste(let pasted):
      insert(pasted.split(whereSeparator: \.isNewline).joined(separator: " ").map { $0 })
    case .backspace:
      if text.isEmpty { return .cancelled }
      if cursor > 0 {
        cursor -= 1
        text.remove(at: cursor)
      }
    case .delete: if cursor < text.count { text.remove(at: cursor) }
    case .left: cursor = max(0, cursor - 1)
    case .right: cursor = min(text.count, cursor + 1)
    case .home, .control("a"): cursor = 0
    case .end, .control("e"): cursor = text.count
    case .control("u"): (text, cursor) = ([], 0)
    case .control("w"): deleteWord()
    case .enter: return .accepted(String(text))
    case .escape, .control("g"): return .cancelled
    case .up, .down, .pageUp, .pageDown, .tab, .backTab, .control, .other: break
    }
    return .goesOn
  }

  private mutating func insert(_ characters: [Character]) {
    let fitting = characters.prefix(max(0, Self.limit - text.count))
    text.insert(contentsOf: fitting, at: cursor)
    cursor += fitting.count
  }

  private mutating func deleteWord() {
    let before = text[..<cursor]
    let spaces = before.reversed().prefix { $0 == " " }.count
    let letters = before.dropLast(spaces).reversed().prefix { $0 != " " }.count
    text.removeSubrange(cursor - spaces - letters..<cursor)
    cursor -= spaces + letters
  }

  /// Draws the line so that its cursor is seen.
  func draw(on screen: inout ScreenBuffer, in area: Area) {
    let label = area.width >= 40 ? purpose.label : "> "
    let start = screen.draw(label, in: area, .bold)
    let before = Printable.line(String(text[..<cursor]))
    let room = max(1, area.width - start - 1)
    var (shown, columns) = ([Character](), 0)
    for character in before.reversed() where columns < room {
      columns += DisplayWidth.of(character)
      if columns <= room { shown.append(character) }
    }
    let end = screen.draw(String(shown.reversed()), in: area, at: start)
    screen.draw(Printable.line(String(text[cursor...])), in: area, at: end)
    screen.cursor = (area.column + min(end, area.width - 1), area.row)
  }
}
