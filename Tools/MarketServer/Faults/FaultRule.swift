/// A fault as people write it: `GET /posts=500`, `PUT /posts/{id}/like=delay:2,409:TAKEN*1`.
///
/// Behind the pattern stand one or several, in the order they happen: a status, perhaps with a code;
/// `delay:SECONDS`, `truncated`, `chunks`, `reset`, `not-utf8`, `not-json`, `empty`. `*N` at the end
/// limits them to the next N requests.
public struct FaultRule: Sendable {
  /// Which requests are meant.
  public let pattern: RequestPattern
  /// What happens to them.
  public let faults: [Fault]
  /// To how many; nil for all.
  public let times: Int?

  /// The rule `text`; nil where it is none.
  public init?(_ text: String) {
    guard let equals = text.lastIndex(of: "=") else { return nil }
    let words = text[text.index(after: equals)...].split(
      separator: "*", omittingEmptySubsequences: false)
    let faults = words[0].split(separator: ",", omittingEmptySubsequences: false).map(Self.fault)
    guard let pattern = RequestPattern(String(text[..<equals])), words.count <= 2,
      !faults.contains(where: { $0 == nil })
    else { return nil }
    if words.count == 2 {
      guard let times = Int(words[1]), times > 0 else { return nil }
      self.times = times
    } else {
      times = nil
    }
    self.pattern = pattern
    self.faults = faults.compactMap { $0 }
  }

  private static func fault(_ text: Substring) -> Fault? {
    let parts = text.split(separator: ":", maxSplits: 1).map(String.init)
    guard let first = parts.first else { return nil }
    if parts.count == 2 {
      if first == "delay" { return seconds(parts[1]).map { .delay(seconds: $0) } }
      return status(first).map { .status($0, code: parts[1]) }
    }
    return names[first] ?? status(first).map { .status($0) }
  }

  private static func status(_ text: String) -> Int? {
    Int(text).flatMap { (200..<600).contains($0) ? $0 : nil }
  }

  static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { (0...maximumSeconds).contains($0) ? $0 : nil }
  }

  /// A day.
  static let maximumSeconds = 86_400.0

  private static let names: [String: Fault] = [
    "truncated": .truncated, "chunks": .brokenChunks, "reset": .reset, "not-utf8": .notUTF8,
    "not-json": .notJSON, "empty": .emptyBody,
  ]
}
