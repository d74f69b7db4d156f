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

/// A path with places that stand for any part: `/posts/{id}/like`.
struct PathPattern: Hashable, Sendable {
  private let parts: [String]

  init(_ text: String) {
    parts = text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(
      String.init)
  }

  /// What the places stand for in `path`; nil where it is another one.
  func match(_ path: [String]) -> [String: String]? {
    guard path.count == parts.count else { return nil }
    var values: [String: String] = [:]
    for (part, text) in zip(parts, path) {
      if part.hasPrefix("{"), part.hasSuffix("}") {
        values[String(part.dropFirst().dropLast())] = text
      } else if part != text {
        return nil
      }
    }
    return values
  }
}
