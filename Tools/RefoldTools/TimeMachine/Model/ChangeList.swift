import EventStoreCore
import JSONTree

/// What changed between two positions, as lines.
struct ChangeList: Sendable {
  /// The most changes that are listed; of more, their number is told.
  static let limit = 500
  /// How many columns of a value that came or went are shown.
  private static let valueWidth = 200
  /// So many bytes before and after a difference are looked at.
  private static let surroundings = 1024
  /// A change with more bytes takes lines of its own for old and new.
  private static let oneLine = 72

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
    var document = old
    lines = listed.operations.flatMap { operation in
      defer { try? document.apply(operation) }
      return Self.lines(operation, document)
    }
    places = ChangedPlaces(listed.operations.map(\.path))
  }

  private static func lines(
    _ operation: JSONPatch.Operation, _ document: JSONValue
  ) -> [StyledText] {
    let path = operation.path.isRoot ? "(all)" : Printable.line("\(operation.path)")
    switch operation {
    case .add(_, let value):
      return [StyledText("+ \(path): \(text(value))", .colored(.green))]
    case .remove(let place):
      return [StyledText("- \(path): \(text(document[place]))", .colored(.red))]
    case .replace(let place, let value):
      return replaced(path, around(document[place]?.serialized ?? [], value.serialized))
    case .move(let from, _):
      return [StyledText("> \(Printable.line("\(from)")) -> \(path)", .colored(.blue))]
    case .copy(let from, _): return [StyledText("= \(path) from \(Printable.line("\(from)"))")]
    case .test: return [StyledText("? \(path)")]
    }
  }

  /// A long value that was replaced takes lines of its own, so that old and new stand beneath each
  /// other.
  private static func replaced(_ path: String, _ values: (String, String)) -> [StyledText] {
    let (before, after) = values
    let line = "~ \(path): \(before) -> \(after)"
    if line.utf8.count <= oneLine { return [StyledText(line, .colored(.magenta))] }
    return [
      StyledText("~ \(path):", .colored(.magenta)), StyledText("  - \(before)", .colored(.red)),
      StyledText("  + \(after)", .colored(.green)),
    ]
  }

  /// Both values around where they differ. Of long ones only what is near it is looked at as text.
  private static func around(_ old: [UInt8], _ new: [UInt8]) -> (String, String) {
    var start = max(0, zip(old, new).prefix { $0 == $1 }.count - surroundings)
    // Not in the middle of a scalar, of whose bytes all but the first begin with 10.
    while start > 0, new.indices.contains(start), new[start] & 0xC0 == 0x80 { start -= 1 }
    let cut = { (bytes: [UInt8]) in Printable.line(bytes.dropFirst(start).prefix(2 * surroundings))
    }
    let (before, after) = PatchText.around(cut(old), cut(new))
    let isCut = start > 0 && !after.hasPrefix("…") && !before.hasPrefix("…")
    return isCut ? ("…" + before, "…" + after) : (before, after)
  }

  private static func text(_ value: JSONValue?) -> String {
    Printable.cut(Printable.line(value?.serialized ?? []), to: valueWidth)
  }
}
