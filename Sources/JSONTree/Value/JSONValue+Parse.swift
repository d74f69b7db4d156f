extension JSONValue {
  /// What becomes of a key that its object holds twice.
  public enum DuplicateKeys: Sendable {
    /// Every member is kept; looking the key up gives the last.
    case kept
    /// Refused with the key's name.
    case refused
  }

  /// Reads one JSON value, with nothing but whitespace around it. `JSONIndex` says what is refused.
  /// - Throws: `JSONError`, with the byte where the text goes wrong and what was expected there.
  /// - Complexity: O(n) in the bytes; O(n log n) to refuse duplicate keys.
  public init(
    parsing bytes: RawSpan, duplicateKeys: DuplicateKeys = .kept
  ) throws(JSONError) {
    var index = JSONIndex()
    try index.parse(bytes)
    self = try bytes.withUnsafeBytes { bytes throws(JSONError) in
      if duplicateKeys == .refused { try index.refuseDuplicateKeys(in: bytes) }
      return index.value(at: 0, in: bytes)
    }
  }

  /// Reads one JSON value from UTF-8 bytes.
  /// - Throws: `JSONError`, as for a span.
  public init(
    parsing bytes: [UInt8], duplicateKeys: DuplicateKeys = .kept
  ) throws(JSONError) {
    try self.init(parsing: bytes.span.bytes, duplicateKeys: duplicateKeys)
  }

  /// Reads one JSON value from a string.
  /// - Throws: `JSONError`, as for a span.
  public init(
    parsing text: String, duplicateKeys: DuplicateKeys = .kept
  ) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), duplicateKeys: duplicateKeys)
  }
}

extension JSONIndex {
  /// - Throws: `JSONError.duplicateKey` for the first key that its object holds already.
  package mutating func refuseDuplicateKeys(
    in bytes: UnsafeRawBufferPointer
  ) throws(JSONError) {
    guard let key = firstDuplicateKey(in: bytes) else { return }
    throw .duplicateKey(string(at: key, in: bytes), offset: Int(nodes[key].start))
  }

  /// The value at `node`. Recursion is bounded by `maximumDepth`.
  /// - Complexity: O(n) in its bytes.
  package func value(at node: Int, in bytes: UnsafeRawBufferPointer) -> JSONValue {
    switch nodes[node].kind {
    case .null: return .null
    case .true: return .bool(true)
    case .false: return .bool(false)
    case .number:
      let text = UnsafeRawBufferPointer(rebasing: bytes[nodes[node].range])
      return .number(JSONNumber(proved: String(decoding: text, as: UTF8.self)))
    case .string: return .string(string(at: node, in: bytes))
    case .array: return .array(elements(of: node, in: bytes))
    case .object: return .object(JSONObject(members(of: node, in: bytes)))
    }
  }

  private func elements(of array: Int, in bytes: UnsafeRawBufferPointer) -> [JSONValue] {
    var elements: [JSONValue] = []
    var node = array + 1
    while node < Int(nodes[array].next) {
      elements.append(value(at: node, in: bytes))
      node = Int(nodes[node].next)
    }
    return elements
  }

  private func members(
    of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> [JSONObject.Member] {
    keys(of: object).map {
      JSONObject.Member(key: string(at: $0, in: bytes), value: value(at: $0 + 1, in: bytes))
    }
  }
}
