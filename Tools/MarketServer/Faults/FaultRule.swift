/// A fault as people write it: `GET /posts=500`, `PUT /posts/{id}/like=delay:2,409:TAKEN*1`.
///
/// Behind the pattern stand one or several, in the order they happen: a status, perhaps with a code;
/// `delay:SECONDS`, `truncated`, `chunks`, `reset`, `not-utf8`, `not-json`, `empty`. `*N` at the end
/// limits them to the next N requests. Methods may be written small.
public struct FaultRule: Sendable {
  /// Which requests are meant.
  public let pattern: RequestPattern
  /// What happens to them.
  public let faults: [Fault]
  /// To how many; nil for all.
  public let times: Int?

  /// The rule `text`.
  /// - Throws: `ServerOptions.Failure`, which says which part of it is wrong.
  public init(_ text: String) throws(ServerOptions.Failure) {
    guard let equals = text.lastIndex(of: "=") else {
      throw Self.failure(text, "names no fault", "REQUEST=FAULT, such as 'GET /posts=500'")
    }
    let request = String(text[..<equals])
    guard let pattern = RequestPattern(request) else {
      throw Self.failure(request, "is no request", "a method and a path, such as 'GET /posts'")
    }
    let words = text[text.index(after: equals)...].split(
      separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
    self.pattern = pattern
    times = words.count == 2 ? try Self.times(words[1]) : nil
    var faults: [Fault] = []
    for word in words[0].split(separator: ",", omittingEmptySubsequences: false) {
      faults.append(try Self.fault(String(word)))
    }
    self.faults = faults
  }

  private static func times(_ text: Substring) throws(ServerOptions.Failure) -> Int {
    guard let times = Int(text), times > 0 else {
      throw failure("*\(text)", "is no number of requests", "*N at the end, 1 or more")
    }
    return times
  }

  private static func fault(_ text: String) throws(ServerOptions.Failure) -> Fault {
    if let fault = names[text] { return fault }
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.first == "delay" {
      guard parts.count == 2, let seconds = seconds(String(parts[1])) else {
        throw failure(text, "is no delay", "delay:SECONDS, 0 to \(Int(maximumSeconds))")
      }
      return .delay(seconds: seconds)
    }
    guard let status = parts.first.flatMap({ Int($0) }) else {
      let names = names.keys.sorted().joined(separator: ", ")
      throw failure(
        text, "is no fault", "a status such as 500 or 409:TAKEN, delay:SECONDS, \(names)")
    }
    guard statuses.contains(status), parts.count == 1 || !parts[1].isEmpty else {
      throw failure(
        text, "is no status", "\(statuses.lowerBound) to \(statuses.upperBound), perhaps with :CODE"
      )
    }
    return .status(status, code: parts.count == 2 ? String(parts[1]) : nil)
  }

  private static func failure(
    _ text: String, _ fault: String, _ expected: String
  ) -> ServerOptions.Failure {
    ServerOptions.Failure(description: "--fault: \"\(text)\" \(fault): expected \(expected)")
  }

  static func seconds(_ text: String) -> Double? {
    Double(text).flatMap { (0...maximumSeconds).contains($0) ? $0 : nil }
  }

  /// A day.
  static let maximumSeconds = 86_400.0

  private static let statuses = 200...599

  private static let names: [String: Fault] = [
    "truncated": .truncated, "chunks": .brokenChunks, "reset": .reset, "not-utf8": .notUTF8,
    "not-json": .notJSON, "empty": .emptyBody,
  ]
}
