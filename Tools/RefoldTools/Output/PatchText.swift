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
    Self.rows(patch, from: old).map(styled).joined(separator: "\n")
  }

  /// The lines one by one, each with the style that it is shown in.
  static func rows(
    _ patch: JSONPatch, from old: JSONValue
  ) -> [(text: String, style: Console.Style?)] {
    var document = old
    return patch.operations.map { operation in
      defer { try? document.apply(operation) }
      return row(operation, document)
    }
  }

  /// The line of `operation` on `document`, which is shown as one at `place` where that is given.
  func line(
    _ operation: JSONPatch.Operation, _ document: JSONValue, as place: JSONPointer? = nil
  ) -> String {
    styled(Self.row(operation, document, as: place))
  }

  private func styled(_ row: (text: String, style: Console.Style?)) -> String {
    row.style.map { console.styled(row.text, $0) } ?? row.text
  }

  private static func row(
    _ operation: JSONPatch.Operation, _ document: JSONValue, as place: JSONPointer? = nil
  ) -> (text: String, style: Console.Style?) {
    let path = text(place ?? operation.path)
    let old = document[operation.path].map { Printable.line($0.serialized) } ?? ""
    switch operation {
    case .add(_, let value):
      return ("+ \(path): \(short(Printable.line(value.serialized)))", .green)
    case .remove: return ("- \(path): \(short(old))", .red)
    case .replace(_, let value):
      let (before, after) = around(old, Printable.line(value.serialized))
      return ("~ \(path): \(before) -> \(after)", .yellow)
    case .move(let from, _): return ("> \(text(from)) -> \(path)", .blue)
    case .copy(let from, _): return ("= \(text(from)) -> \(path)", nil)
    case .test: return ("? \(path)", nil)
    }
  }

  private static func text(_ pointer: JSONPointer) -> String {
    pointer.isRoot ? "(all)" : Printable.line("\(pointer)")
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
