/// An option that a command takes.
struct Option: Sendable {
  /// `--store`.
  let name: String
  /// `-o`, where there is a short form.
  var short: String?
  /// What its value is called, `PATH`; nil for a switch.
  var value: String?
  /// A line for people.
  let summary: String
  var isRepeatable = false

  static func flag(_ name: String, _ summary: String, short: String? = nil) -> Option {
    Option(name: name, short: short, summary: summary)
  }

  static func value(
    _ name: String, _ value: String, _ summary: String, short: String? = nil,
    isRepeatable: Bool = false
  ) -> Option {
    Option(
      name: name, short: short, value: value, summary: summary, isRepeatable: isRepeatable)
  }

  /// What every command takes.
  static let everywhere: [Option] = [
    .value("--store", "PATH", "the store; else $REFOLD_STORE, else ./refold.sqlite"),
    .value("--wait", "SECONDS", "how long to wait for other writers (default 10)"),
    .flag("--json", "line-oriented JSON output"),
    .value("--color", "WHEN", "auto (default), always or never; NO_COLOR is heeded"),
    .flag("--help", "this text"),
    .flag("--version", "the version"),
  ]
}

/// A word that a command takes by its place.
struct Operand: Sendable {
  let name: String
  let summary: String
  var isOptional = false
}
