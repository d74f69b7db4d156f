extension JSONValue {
  /// What lies at `pointer`.
  /// - Throws: `JSONError.nothingAt`, which says how far the pointer led and what is missing there.
  /// - Complexity: O(n) in the members of the objects on the way.
  public func value(at pointer: JSONPointer) throws(JSONError) -> JSONValue {
    var value = self
    for (depth, token) in pointer.tokens.enumerated() {
      guard let child = value.child(token) else {
        throw .nothingAt(pointer, reason: value.reasonWithout(token, pointer: pointer, at: depth))
      }
      value = child
    }
    return value
  }

  /// What lies at `pointer`, or nil where nothing does.
  /// - Complexity: O(n) in the members of the objects on the way.
  public subscript(pointer: JSONPointer) -> JSONValue? {
    var value = self
    for token in pointer.tokens {
      guard let child = value.child(token) else { return nil }
      value = child
    }
    return value
  }

  private func child(_ token: String) -> JSONValue? {
    switch self {
    case .object(let object): object[token]
    case .array: Self.arrayIndex(token).flatMap { self[$0] }
    case .null, .bool, .number, .string: nil
    }
  }

  /// An array index of RFC 6901: digits without a leading zero.
  package static func arrayIndex(_ token: String) -> Int? {
    let digits = token.utf8
    guard digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    guard digits.first != 0x30 || digits.count == 1 else { return nil }
    return Int(token)
  }

  /// Why `token` leads nowhere from here, which is `depth` tokens into `pointer`.
  func reasonWithout(_ token: String, pointer: JSONPointer, at depth: Int) -> String {
    let place =
      depth == 0
      ? "the root" : JSONPointer(tokens: Array(pointer.tokens[..<depth])).shortDescription
    switch self {
    case .object: return "\(place) has no member \(JSONValue.string(token))"
    case .array(let elements):
      return Self.arrayIndex(token) == nil
        ? "\(place) is an array, and \(JSONValue.string(token)) is no index of one"
        : "\(place) has \(elements.count) element\(elements.count == 1 ? "" : "s")"
    case .null, .bool, .number, .string: return "\(place) is \(kindName)"
    }
  }
}
