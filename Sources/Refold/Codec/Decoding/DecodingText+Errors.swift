import JSONTree

extension DecodingText {
  /// The error for a value of another kind than `type` needs.
  func mismatch(_ type: Any.Type, at node: Int, expected: String) -> DecodingError {
    let context = context(.wrongKind, at: node, expected: expected)
    return isNull(node) ? .valueNotFound(type, context) : .typeMismatch(type, context)
  }

  /// The error for a value of the right kind that cannot be held.
  func misfit(at node: Int, expected: String) -> DecodingError {
    .dataCorrupted(context(.doesNotFit, at: node, expected: expected))
  }

  /// The error for a key that the object at `object` has not.
  func missing(_ key: some CodingKey, in object: Int) -> DecodingError {
    let keys = index.keys(of: object).map { index.string(at: $0, in: bytes) }
    let error = CodecError(
      kind: .missingKey(key.stringValue), pointer: pointer(to: object),
      expected: "the key \(CodecError.quoted(key.stringValue))",
      found: keys.isEmpty ? "an empty object" : CodecError.list(keys: keys))
    return .keyNotFound(key, context(error, path: codingPath(to: object)))
  }

  /// The error for asking for an element after the last.
  func missingElement(_ type: Any.Type, at position: Int, of array: Int) -> DecodingError {
    let error = CodecError(
      kind: .elementCount, pointer: pointer(to: array), expected: "more than \(position) elements",
      found: position == 1 ? "1 element" : "\(position) elements")
    let path = codingPath(to: array) + [PathKey(index: position)]
    return .valueNotFound(type, context(error, path: path))
  }

  private func context(
    _ kind: CodecError.Kind, at node: Int, expected: String
  ) -> DecodingError.Context {
    let error = CodecError(
      kind: kind, pointer: pointer(to: node), expected: expected, found: summary(of: node))
    return context(error, path: codingPath(to: node))
  }

  private func context(_ error: CodecError, path: [any CodingKey]) -> DecodingError.Context {
    DecodingError.Context(
      codingPath: path, debugDescription: error.message, underlyingError: error)
  }

  /// What stands at `node`, for people: short values as they are, containers by their kind.
  func summary(of node: Int) -> String {
    let found = index.nodes[node]
    switch found.kind {
    case .null, .true, .false: return "\(found.kind)"
    case .number:
      let text = String(decoding: bytes[found.range], as: UTF8.self)
      return text.utf8.count <= 60 ? text : text.prefix(60) + "…"
    case .string: return "the string " + CodecError.quoted(index.string(at: node, in: bytes))
    case .array: return "an array"
    case .object: return "an object"
    }
  }
}

extension DecodingText {
  /// The text in which a synthesized enum's `init(from:)` says that no case has the object's key.
  private static let noSuchCase = "Invalid number of keys found, expected one."

  /// The error for a DecodingError of ours, of the standard library's, or of a type's own.
  func decodingError(_ error: DecodingError) -> CodecError {
    switch error {
    case .typeMismatch(_, let context):
      if context.debugDescription == Self.noSuchCase, let error = unknownCase(context) {
        return error
      }
      return codecError(.wrongKind, context)
    case .valueNotFound(_, let context): return codecError(.wrongKind, context)
    case .keyNotFound(let key, let context):
      return codecError(.missingKey(key.stringValue), context)
    case .dataCorrupted(let context): return codecError(.refused, context)
    @unknown default:
      return CodecError(kind: .refused, pointer: JSONPointer(), expected: "", found: "\(error)")
    }
  }

  private func codecError(
    _ kind: CodecError.Kind, _ context: DecodingError.Context
  ) -> CodecError {
    if let error = context.underlyingError as? CodecError { return error }
    let pointer = JSONPointer(codingPath: context.codingPath)
    // The words are the type's own; only their place is ours.
    return CodecError(
      kind: .refused, pointer: pointer, expected: "", found: reason(kind, context))
  }

  private func reason(_ kind: CodecError.Kind, _ context: DecodingError.Context) -> String {
    let words = context.debugDescription
    if case .missingKey(let key) = kind, words.isEmpty {
      return "missing key \(CodecError.quoted(key))"
    }
    return words.isEmpty ? "the type refuses this value" : words
  }

  private func unknownCase(_ context: DecodingError.Context) -> CodecError? {
    let pointer = JSONPointer(codingPath: context.codingPath)
    guard let node = node(at: pointer), index.nodes[node].kind == .object else { return nil }
    let keys = index.keys(of: node).map { index.string(at: $0, in: bytes) }
    return CodecError(
      kind: .unknownCase(keys), pointer: pointer,
      expected: "an object with the name of one case as its only key",
      found: CodecError.list(keys: keys))
  }
}
