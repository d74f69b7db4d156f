import JSONTree

/// A state for people: indented JSON, each line safe for a terminal.
enum PrettyState {
  static func text(_ value: JSONValue) -> String {
    value.prettyPrinted.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Printable.line(String($0)) }.joined(separator: "\n")
  }
}

/// A patch for people: a line an operation, the old value beside the new.
enum PatchText {
  /// How much of a value is shown.
  private static let valueWidth = 120

  static func lines(_ patch: JSONPatch, from old: JSONValue, _ console: Console) -> String {
    var document = old
    return patch.operations.map { operation in
      defer { document = (try? JSONPatch([operation]).applied(to: document)) ?? document }
      return line(operation, document, console)
    }.joined(separator: "\n")
  }

  private static func line(
    _ operation: JSONPatch.Operation, _ document: JSONValue, _ console: Console
  ) -> String {
    let path = operation.path.isRoot ? "(all)" : Printable.line("\(operation.path)")
    let old = document[operation.path].map(short)
    switch operation {
    case .add(_, let value): return console.styled("+ \(path): \(short(value))", .green)
    case .remove: return console.styled("- \(path): \(old ?? "")", .red)
    case .replace(_, let value):
      return console.styled("~ \(path): \(old ?? "") -> \(short(value))", .yellow)
    case .move(let from, _): return "> \(path) from \(Printable.line("\(from)"))"
    case .copy(let from, _): return "= \(path) from \(Printable.line("\(from)"))"
    case .test: return "? \(path)"
    }
  }

  private static func short(_ value: JSONValue) -> String {
    Printable.cut(Printable.line(value.serialized), to: valueWidth)
  }
}
