import JSONTree

/// A patch for people: a line an operation, the old value beside the new.
struct PatchText {
  /// How many columns of each value are shown.
  private static let valueWidth = 100
  /// How much stands before the first difference of two long values.
  private static let lead = 20

  private let console: Console

  init(_ console: Console) { self.console = console }

  /// The lines of `patch`, which turns `old` into something else.
  func lines(_ patch: JSONPatch, from old: JSONValue) -> String {
    var document = old
    return patch.operations.map { operation in
      defer { try? document.apply(operation) }
      return line(operation, document)
    }.joined(separator: "\n")
  }

  /// The line of `operation` on `document`, which is shown as one at `place` where that is given.
  func line(
    _ operation: JSONPatch.Operation, _ document: JSONValue, as place: JSONPointer? = nil
  ) -> String {
    let shown = place ?? operation.path
    let path = shown.isRoot ? "(all)" : Printable.line("\(shown)")
    let old = document[operation.path].map { Printable.line($0.serialized) } ?? ""
    switch operation {
    case .add(_, let value):
      return console.styled("+ \(path): \(Self.short(Printable.line(value.serialized)))", .green)
    case .remove: return console.styled("- \(path): \(Self.short(old))", .red)
    case .replace(_, let value):
      let (before, after) = Self.around(old, Printable.line(value.serialized))
      return console.styled("~ \(path): \(before) -> \(after)", .yellow)
    case .move(let from, _):
      return console.styled("> \(Printable.line("\(from)")) -> \(path)", .blue)
    case .copy(let from, _): return "= \(path) from \(Printable.line("\(from)"))"
    case .test: return "? \(path)"
    }
  }

  private static func short(_ text: String) -> String { Printable.cut(text, to: valueWidth) }

  /// Two values cut to where they differ, so that the difference is seen.
  static func around(_ old: String, _ new: String) -> (String, String) {
    let (old, new) = (Array(old), Array(new))
    guard max(old.count, new.count) > valueWidth else { return (String(old), String(new)) }
    let same = zip(old, new).prefix { $0 == $1 }.count
    let start = max(0, same - lead)
    let cut = { (text: [Character]) in
      (start > 0 ? "…" : "") + short(String(text[min(start, text.count)...]))
    }
    return (cut(old), cut(new))
  }
}
