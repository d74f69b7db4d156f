import JSONTree

/// A state for people: indented JSON, each line safe for a terminal.
enum PrettyState {
  static func text(_ value: JSONValue) -> String {
    value.prettyPrinted.split(separator: "\n", omittingEmptySubsequences: false)
      .map { Printable.line(String($0)) }.joined(separator: "\n")
  }
}
