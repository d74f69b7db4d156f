/// One command: what it is called, what it takes, how it is explained, and what it does.
protocol Command: Sendable {
  static var name: String { get }
  /// A line for the list of commands.
  static var summary: String { get }
  static var operands: [Operand] { get }
  static var options: [Option] { get }
  /// A paragraph for its help; may be empty.
  static var discussion: String { get }
  /// A command line or two that do something useful.
  static var examples: [String] { get }

  init(_ arguments: Arguments) throws
  func run(_ context: Context) throws -> ExitCode
}

extension Command {
  static var operands: [Operand] { [] }
  static var options: [Option] { [] }
  static var discussion: String { "" }

  /// `refold log SESSION [options]`.
  static var usage: String {
    let words = operands.map { operand in
      let name = operand.isRepeatable ? operand.name + "…" : operand.name
      return operand.isOptional ? "[\(name)]" : name
    }
    return (["refold", name] + words + ["[options]"]).joined(separator: " ")
  }

  /// The whole help text.
  static var help: String {
    var sections = ["\(summary)\n\nusage: \(usage)"]
    if !discussion.isEmpty { sections.append(discussion) }
    if !operands.isEmpty {
      sections.append("arguments:\n" + columns(operands.map { ($0.name, $0.summary) }))
    }
    if !options.isEmpty { sections.append("options:\n" + columns(options.map(\.helpRow))) }
    sections.append("everywhere:\n" + columns(Option.everywhere.map(\.helpRow)))
    sections.append("example:\n" + examples.map { "  \($0)" }.joined(separator: "\n"))
    return sections.joined(separator: "\n\n") + "\n"
  }
}

extension Option {
  fileprivate var helpRow: (String, String) {
    let names = [short, name].compactMap { $0 }.joined(separator: ", ")
    return (value.map { "\(names) \($0)" } ?? names, summary)
  }
}

/// Two columns, the first as wide as its longest text.
func columns(_ rows: [(String, String)]) -> String {
  let width = rows.map(\.0.count).max() ?? 0
  return rows.map { left, right in
    "  " + left + String(repeating: " ", count: width - left.count + 2) + right
  }.joined(separator: "\n")
}
