import EventStoreCore

/// The words after a command's name, sorted into operands and options.
struct Arguments: Sendable {
  private(set) var operands: [String] = []
  private var values: [String: [String]] = [:]
  private let command: any Command.Type
  private let helpHint: String

  /// Sorts `words` by what `command` takes.
  ///
  /// - Throws: `Failure` with `.usage` for an unknown option, a missing or superfluous value, and
  ///   too few or too many operands.
  init(_ words: [String], for command: any Command.Type, of tool: Tool) throws {
    self.command = command
    helpHint = " See: \(tool.name) \(command.name) --help"
    let options = command.options + Option.everywhere
    var rest = words[...]
    var optionsEnded = false
    while let word = rest.popFirst() {
      if optionsEnded || !Self.looksLikeOption(word) {
        operands.append(word)
      } else if word == "--" {
        optionsEnded = true
      } else {
        try takeOption(word, &rest, options)
      }
    }
    if !has("--help"), !has("--version") { try checkOperands() }
  }

  /// Whether the switch or option `name` is there.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// The value of the option `name`, or nil.
  func value(_ name: String) -> String? { values[name]?.last }

  /// Every value of the repeatable option `name`.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The value of `name` as a whole number of at least `least` and, where there is a `most`, at most
  /// that, or nil where it is not given.
  func number(_ name: String, atLeast least: Int, atMost most: Int? = nil) throws -> Int? {
    guard let text = value(name) else { return nil }
    guard let number = Int(text), number >= least, number <= most ?? .max else {
      let range = "from \(least)" + (most.map { " to \($0)" } ?? "")
      throw Failure(.usage, "\(name) takes a whole number \(range), not \"\(text)\"")
    }
    return number
  }

  /// The value of `name` as seconds, or nil where it is not given.
  func seconds(_ name: String) throws -> Double? {
    guard let text = value(name) else { return nil }
    guard let number = Double(text), number >= 0, number.isFinite else {
      throw Failure(.usage, "\(name) takes a number of seconds, not \"\(text)\"")
    }
    return number
  }

  /// The value of `name` as one of `choices`.
  func choice<T: RawRepresentable & CaseIterable>(_ name: String, _ type: T.Type) throws -> T?
  where T.RawValue == String {
    guard let text = value(name) else { return nil }
    guard let choice = T(rawValue: text) else {
      let choices = T.allCases.map(\.rawValue).joined(separator: ", ")
      throw Failure(.usage, "\(name) takes one of \(choices), not \"\(text)\"")
    }
    return choice
  }

  /// The operand at `index`, or nil where it is optional and not given.
  func operand(_ index: Int) -> String? { operands.indices.contains(index) ? operands[index] : nil }

  /// `-` is a file and `-5` a position; everything else that starts with a dash is an option.
  private static func looksLikeOption(_ word: String) -> Bool {
    guard word.hasPrefix("-"), word != "-" else { return false }
    return !word.dropFirst().allSatisfy { $0.isASCII && $0.isNumber }
  }

  private mutating func takeOption(
    _ word: String, _ rest: inout ArraySlice<String>, _ options: [Option]
  ) throws {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let spelled = String(parts[0])
    guard let option = options.first(where: { $0.name == spelled || $0.short == spelled }) else {
      let hint = nearest(spelled, among: options.map(\.name)).map { " Did you mean \($0)?" } ?? ""
      throw Failure(.usage, "\(command.name) has no option \(spelled).\(hint)\(helpHint)")
    }
    let attached = parts.count > 1 ? String(parts[1]) : nil
    if values[option.name] != nil, !option.isRepeatable {
      throw Failure(.usage, "\(option.name) is given twice")
    }
    values[option.name, default: []].append(try value(of: option, attached, &rest))
  }

  private func value(
    of option: Option, _ attached: String?, _ rest: inout ArraySlice<String>
  ) throws -> String {
    guard let valueName = option.value else {
      if attached != nil { throw Failure(.usage, "\(option.name) takes no value") }
      return ""
    }
    if let attached { return attached }
    guard let next = rest.first, !Self.looksLikeOption(next) else {
      throw Failure(.usage, "\(option.name) takes a value: \(option.name) \(valueName)")
    }
    rest.removeFirst()
    return next
  }

  private func checkOperands() throws {
    let required = command.operands.filter { !$0.isOptional }
    if operands.count < required.count {
      let missing = required[operands.count].name
      throw Failure(.usage, "\(command.name): \(missing) is missing.\(helpHint)")
    }
    let isOpen = command.operands.last?.isRepeatable ?? false
    if operands.count > command.operands.count, !isOpen {
      let extra = Printable.line(operands[command.operands.count])
      throw Failure(
        .usage, "\(command.name): \"\(extra)\" is one word too many.\(helpHint)")
    }
  }
}

/// The one of `candidates` that `word` was most likely meant to be, if any is close.
func nearest(_ word: String, among candidates: [String]) -> String? {
  let scored = candidates.map { (candidate: $0, distance: editDistance(word, $0)) }
  guard let best = scored.min(by: { $0.distance < $1.distance }) else { return nil }
  return best.distance <= max(1, word.count / 3) ? best.candidate : nil
}

/// How many single-letter insertions, deletions and replacements lie between two words.
private func editDistance(_ left: String, _ right: String) -> Int {
  let columns = Array(right)
  var previous = Array(0...columns.count)
  for (row, letter) in left.enumerated() {
    var current = [row + 1]
    for (column, other) in columns.enumerated() {
      let replaced = previous[column] + (letter == other ? 0 : 1)
      current.append(min(replaced, previous[column + 1] + 1, current[column] + 1))
    }
    previous = current
  }
  return previous[columns.count]
}
