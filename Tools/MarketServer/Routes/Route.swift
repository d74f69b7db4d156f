/// What the server does for one method and path.
///
///     Route("PUT", "/posts/{id}/like") { call in
///       let account = try call.account()
///       …
///       return .done
///     }
///
/// What its closure throws becomes the answer: see `Answer.init(_: any Error)`. It runs on the
/// thread of the connection and may block it.
struct Route: Sendable {
  let method: String
  let path: PathPattern
  /// Whether a request without a body is refused with 411.
  let needsBody: Bool
  /// Whether the header `apikey` must be there.
  let needsKey: Bool
  let answer: @Sendable (Call) throws -> Answer

  init(
    _ method: String, _ path: String, needsBody: Bool = false, needsKey: Bool = true,
    answer: @escaping @Sendable (Call) throws -> Answer
  ) {
    self.method = method
    self.path = PathPattern(path)
    self.needsBody = needsBody
    self.needsKey = needsKey
    self.answer = answer
  }
}

extension Route: CustomStringConvertible {
  /// `PUT /posts/{id}/like`.
  var description: String { "\(method) \(path)" }
}

/// A path with places that stand for any part: `/posts/{id}/like`.
struct PathPattern: Hashable, Sendable, CustomStringConvertible {
  private let parts: [String]

  /// As it was written.
  var description: String { "/" + parts.joined(separator: "/") }

  init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
  }

  /// Whether some path matches this and `other`.
  func overlaps(_ other: PathPattern) -> Bool {
    parts.count == other.parts.count
      && zip(parts, other.parts).allSatisfy { one, another in
        one == another || Self.isPlace(one) || Self.isPlace(another)
      }
  }

  private static func isPlace(_ part: String) -> Bool {
    part.hasPrefix("{") && part.hasSuffix("}")
  }

  /// What the places stand for in `path`; nil where it is another one.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      if Self.isPlace(part) {
        values[String(part.dropFirst().dropLast())] = text
      } else if part != text {
        return nil
      }
    }
    return values
  }
}
