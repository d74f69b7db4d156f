/// What `refold-bench` was asked for.
struct Arguments {
  /// Whether reports are JSON, one object a line.
  var isJSON = false
  /// Only benchmarks whose name has this in it; nil for all.
  var filter: String?
  /// Only the variant of this name, for a profile of it; nil for all.
  var variant: String?
  /// How many samples of each variant are taken.
  var rounds = 5
  /// How many operations a sample has.
  var count = 1_000_000
  var asksForHelp = false

  /// Reads the words after the command.
  ///
  /// - Throws: `BenchError.usage`.
  init(_ words: some Sequence<String>) throws {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--json": isJSON = true
      case "--filter": filter = try Self.value(of: word, &words)
      case "--variant": variant = try Self.value(of: word, &words)
      case "--rounds": rounds = try Self.number(of: word, &words)
      case "--count": count = try Self.number(of: word, &words)
      case "--help": asksForHelp = true
      default: throw BenchError.usage("\(word) is not known")
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

/// Why there are no figures.
enum BenchError: Error, CustomStringConvertible {
  case usage(String)
  case wrongResult(String)
  case noRefold(path: String)
  case failedProcess(String, status: Int32)
  case system(operation: String, path: String, reason: String)
  case limit(operation: String, reason: String)

  var description: String {
    switch self {
    case .usage(let reason): "\(reason). See refold-bench --help."
    case .wrongResult(let reason): "a variant gave something wrong: \(reason)"
    case .noRefold(let path):
      "there is no \(path). Build it first: swift build -c release --product refold"
    case .failedProcess(let command, let status): "\(command) ended with status \(status)"
    case .system(let operation, let path, let reason): "cannot \(operation) \(path): \(reason)"
    case .limit(let operation, let reason): "the C limit cannot \(operation): \(reason)"
    }
  }
}
