import EventStoreTesting

/// One way for bytes from outside to come in, and what must hold for every sequence of them.
///
/// The same functions run in the suite, over Tests/Corpus and mutations of it, and under libFuzzer
/// (`Tools/fuzz`).
public struct FuzzTarget: Sendable {
  /// What `Tools/fuzz` and the folder in Tests/Corpus call it.
  public let name: String
  /// The longest input that is tried, in bytes.
  public let longest: Int
  /// How costly one input is: the suite tries so many times fewer mutations.
  public let cost: Int
  /// Throws `BrokenPromise` where what is promised does not hold for an input.
  public let check: @Sendable ([UInt8]) throws -> Void

  init(
    _ name: String, longest: Int = 4096, cost: Int = 1,
    _ check: @escaping @Sendable ([UInt8]) throws -> Void
  ) {
    (self.name, self.longest, self.cost, self.check) = (name, longest, cost, check)
  }
}

extension FuzzTarget {
  /// Every target.
  public static let all: [FuzzTarget] = [
    FuzzTarget("json") { try JSONTreeProperties.check($0) },
    FuzzTarget("codec", cost: 4) { try CodecProperties.check($0) },
    FuzzTarget("pointer") { try PointerProperties.check($0) },
    FuzzTarget("patch", cost: 2) { try PatchProperties.check($0) },
    FuzzTarget("predicate", longest: 1024, cost: 2) { try PredicateProperties.check($0) },
    FuzzTarget("search", longest: 512) { try SearchProperties.check($0) },
    FuzzTarget("position", longest: 300) { try PositionProperties.check($0) },
    FuzzTarget("envelope") { try InputProperties.checkEnvelope($0) },
    FuzzTarget("action", cost: 4) { try InputProperties.checkActions($0) },
    FuzzTarget("lines") { try InputProperties.checkLines($0) },
    FuzzTarget("log", cost: 2) { try LogFileProperties.check($0) },
    FuzzTarget("http") { try HTTPProperties.check($0) },
    FuzzTarget("keys", longest: 1024) { try TerminalProperties.checkKeys($0) },
    FuzzTarget("text", longest: 1024, cost: 2) { try TerminalProperties.checkText($0) },
    FuzzTarget("store", longest: 200, cost: 100) { try StoreProperties.check($0) },
  ]

  /// The target called `name`, nil where there is none.
  public static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// Input of two parts: what comes before the first line feed, and what comes after it.
func parts(of input: [UInt8]) -> (first: [UInt8], second: [UInt8]) {
  let end = input.firstIndex(of: UInt8(ascii: "\n")) ?? input.endIndex
  return (Array(input[..<end]), Array(input[end...].dropFirst()))
}

/// `bytes` for a message: as text where they are, and cut.
func shown(_ bytes: [UInt8]) -> String {
  let text = String(decoding: bytes.prefix(200), as: UTF8.self)
  return text.debugDescription + (bytes.count > 200 ? "… (\(bytes.count) bytes)" : "")
}

/// Throws unless `message` names something, on one line that a terminal shows as it is.
func requireMessage(_ message: String, for input: [UInt8]) throws {
  try require(!message.isEmpty, "\(shown(input)) is refused without a word")
}
