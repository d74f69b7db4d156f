import EventStoreTesting
import JSONTree

/// A predicate is refused with a column in it, or holds or not; its opposite then does not or does.
///
/// Input: a predicate, a line feed, a document.
enum PredicateProperties {
  static func check(_ input: [UInt8]) throws {
    let (first, second) = parts(of: input)
    let text = String(decoding: first, as: UTF8.self)
    // Under libFuzzer, which would soon find a pattern that takes years: that of `matches` is whose
    // command line it is.
    if text.contains("matches"), text.contains(where: { "*+{".contains($0) }) { return }
    let predicate: JSONPredicate
    do throws(JSONError) {
      predicate = try JSONPredicate(text)
    } catch {
      return try checkRefusal(error, of: text)
    }
    let opposite = try? JSONPredicate("not (\(text))")
    try require(
      Set(predicate.pointers).count == predicate.pointers.count, "\(text) names a place twice")
    let document = (try? JSONValue(parsing: second)) ?? .null
    let holds = try predicate.holds(for: document)
    if let opposite {
      try require(try opposite.holds(for: document) != holds, "\(text) holds, and not \(text) too")
    }
    if let both = try? JSONPredicate("(\(text)) and (\(text)) or (\(text))") {
      try require(try both.holds(for: document) == holds, "\(text) is not itself and itself")
    }
  }

  private static func checkRefusal(_ error: JSONError, of text: String) throws {
    guard case .predicate(let column, let reason) = error else {
      throw BrokenPromise("\(error) says not where in \(text.debugDescription)")
    }
    try require(
      (1...text.count + 1).contains(column), "column \(column) of \(text.debugDescription)")
    try require(!reason.isEmpty, "\(text.debugDescription) is refused without a word")
  }
}
