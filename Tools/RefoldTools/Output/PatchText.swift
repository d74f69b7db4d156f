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
    Self.rows(patch, from: old).map { row in
      row.style.map { console.styled(row.text, $0) } ?? row.text
    }.joined(separator: "\n")
  }

  /// One operation.
  struct Row {
    /// All of it on a line.
    let text: String
    var style: Console.Style?
    /// Of a value that was replaced: its place, and both values around what differs.
    var replaced: (path: String, before: String, after: String)?
  }

  /// The lines one by one.
  static func rows(_ patch: JSONPatch, from old: JSONValue) -> [Row] {
    var document = old
    return patch.operations.map { operation in
      defer { document = (try? JSONPatch([operation]).applied(to: document)) ?? document }
      return row(operation, document)
    }
  }

  private static func row(_ operation: JSONPatch.Operation, _ document: JSONValue) -> Row {
    let path = operation.path.isRoot ? "(all)" : Printable.line("\(operation.path)")
    let old = document[operation.path].map { Printable.line($0.serialized) } ?? ""
    switch operation {
    case .add(_, let value):
      return Row(text: "+ \(path): \(short(Printable.line(value.serialized)))", style: .green)
    case .remove: return Row(text: "- \(path): \(short(old))", style: .red)
    case .replace(_, let value):
      let (before, after) = around(old, Printable.line(value.serialized))
      return Row(
        text: "~ \(path): \(before) -> \(after)", style: .yellow,
        replaced: (path, before, after))
    case .move(let from, _): return Row(text: "> \(path) from \(Printable.line("\(from)"))")
    case .copy(let from, _): return Row(text: "= \(path) from \(Printable.line("\(from)"))")
    case .test: return Row(text: "? \(path)")
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
