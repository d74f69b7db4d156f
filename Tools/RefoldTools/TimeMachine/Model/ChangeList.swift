import EventStoreCore
import JSONTree

/// What changed between two positions, as lines.
struct ChangeList: Sendable {
  /// The most changes that are listed; of more, their number is told.
  static let limit = 500

  let from: Seq
  let to: Seq
  let lines: [StyledText]
  /// How many of the changes the lines tell.
  let listed: Int
  /// How many changes there are, listed or not.
  let count: Int
  let places: ChangedPlaces

  /// Nothing changed.
  init(unchangedFrom from: Seq, to: Seq) {
    (self.from, self.to, lines, listed, count) = (from, to, [], 0, 0)
    places = ChangedPlaces([])
  }

  /// What turns the state `old`, at `from`, into `new`, at `to`.
  init(from: Seq, _ old: JSONValue, to: Seq, _ new: JSONValue) {
    (self.from, self.to) = (from, to)
    let patch = JSONPatch(from: old, to: new)
    count = patch.operations.count
    let listed = JSONPatch(Array(patch.operations.prefix(Self.limit)))
    self.listed = listed.operations.count
    lines = PatchText.rows(listed, from: old).flatMap(Self.lines)
    places = ChangedPlaces(listed.operations.map(\.path))
  }

  /// A long value that was replaced takes lines of its own, so that old and new stand beneath each
  /// other.
  private static func lines(_ row: PatchText.Row) -> [StyledText] {
    guard let (path, before, after) = row.replaced, row.text.utf8.count > 72 else {
      return [StyledText(row.text, CellStyle(row.style))]
    }
    return [
      StyledText("~ \(path):", .colored(.magenta)), StyledText("  - \(before)", .colored(.red)),
      StyledText("  + \(after)", .colored(.green)),
    ]
  }
}

extension CellStyle {
  /// The style of a screen that does what a line's style does. What is yellow in a line is magenta
  /// on a screen, where it must be read on white, too.
  init(_ style: Console.Style?) {
    switch style {
    case .bold: self = .bold
    case .dim: self = .dim
    case .red: self = .colored(.red)
    case .green: self = .colored(.green)
    case .yellow: self = .colored(.magenta)
    case .blue: self = .colored(.blue)
    case nil: self = .plain
    }
  }
}
