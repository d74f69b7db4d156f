/// What `refold-bench` was asked for.
package struct Arguments: Equatable {
  /// What is to be done.
  package enum Task: Equatable {
    case measure
    /// Name the benchmarks, and say what each measures.
    case list
    case help
    /// How cost grows with the length of a log.
    case growth
    /// Compare instruction counts with the committed ones.
    case guardCounts
    /// Count them, and write them down.
    case updateGuard
  }

  /// How a report is written.
  package enum Format: Equatable {
    case text
    /// One object a line.
    case json
    /// Tables as in the README.
    case markdown
  }

  package var task = Task.measure
  package var format = Format.text
  /// Only benchmarks of one of these names, or with it in their names; empty for all.
  package var filters: [String] = []
  /// Only the variant of this name, for a profile of it; nil for all.
  package var variant: String?
  /// How many samples of each variant are taken.
  package var rounds = 3
  /// How many operations a sample has; nil for what each benchmark has by default.
  package var count: Int?
  /// Whether benchmarks that have a largest size, which takes minutes to make, go up to it.
  package var isLarge = false

  /// Reads the words after the command.
  ///
  /// - Throws: `BenchError.usage`.
  package init(_ words: some Sequence<String>) throws {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--json": format = .json
      case "--markdown": format = .markdown
      case "--filter": filters.append(try Self.value(of: word, &words))
      case "--variant": variant = try Self.value(of: word, &words)
      case "--rounds": rounds = try Self.number(of: word, &words)
      case "--count": count = try Self.number(of: word, &words)
      case "--large": isLarge = true
      case "--list": task = .list
      case "--growth": task = .growth
      case "--guard": task = task == .updateGuard ? .updateGuard : .guardCounts
      case "--update": task = .updateGuard
      case "--help", "-h": task = .help
      default: throw BenchError.usage("\(word) is not known")
      }
    }
  }

  /// Those of `names` that are asked for: each filter chooses the one of its name, or else all that
  /// have it in their names.
  package func choose(from names: [String]) -> [String] {
    if filters.isEmpty { return names }
    return names.filter { name in
      filters.contains { filter in
        names.contains(filter) ? name == filter : name.contains(filter)
      }
    }
  }

  private static func value(of option: String, _ words: inout ArraySlice<String>) throws -> String {
    guard let value = words.popFirst() else { throw BenchError.usage("\(option) takes a value") }
    return value
  }

  private static func number(of option: String, _ words: inout ArraySlice<String>) throws -> Int {
    let value = try value(of: option, &words)
    guard let number = Int(value), number > 0 else {
      throw BenchError.usage("\(option) takes a number above 0, not \"\(value)\"")
    }
    return number
  }
}
