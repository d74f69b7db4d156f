import EventStoreCore

/// A value that reactors may use and nobody may read: a token, a password.
///
///     enum Mutation: Codable, Sendable { case setToken(Secret<String>?) }
///
///     state.token?.value          // the token, in the process that it came to
///     "\(state.token)"            // Secret(hidden)
///
/// Encoded it is a keyed digest, `{"hmac-sha256":"9f3a…"}`, by whatever encoder. So it never stands
/// in the clear in the log, in snapshots, exports or diffs, and still the same secret is seen to be the
/// same, as long as the `SecretKey` is. What is read back from a log has the digest alone: `value` is
/// nil, and encoding it again gives the same bytes. A line of input gives it in the clear; the log
/// then keeps the action's own encoding instead of the line.
///
/// Whoever puts `value` into anything else, an error's text or another field, gives it away.
public struct Secret<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
  private enum Content: Hashable, Sendable {
    case clear(Value)
    case digest(Digest)
  }

  private let content: Content

  /// The secret `value`.
  public init(_ value: Value) { content = .clear(value) }

  /// What is secret; nil for a secret that was read back from a log.
  public var value: Value? {
    switch content {
    case .clear(let value): return value
    case .digest:
      SecretReads.current?.note()
      return nil
    }
  }

  /// Equal are two secrets in the clear with equal values, and two digests with equal bytes. One that
  /// was read back from a log equals none in the clear: the key is not known here. Their encodings
  /// tell.
  public static func == (left: Secret, right: Secret) -> Bool {
    switch (left.content, right.content) {
    case (.clear(let left), .clear(let right)): return left == right
    case (.digest(let left), .digest(let right)): return left == right
    case (.clear, .digest), (.digest, .clear):
      SecretReads.current?.note()
      return false
    }
  }
}

extension Secret: Encodable {
  private enum CodingKeys: String, CodingKey {
    case digest = "hmac-sha256"
  }

  /// Writes the keyed digest of the value's JSON.
  ///
  /// - Throws: what the key's source throws, and `CodecError` for a value that JSON cannot write.
  /// - Complexity: O(n) in the value's bytes.
  public func encode(to encoder: any Encoder) throws {
    switch content {
    case .clear(let value) where encoder.userInfo[.showsSecrets] != nil:
      var container = encoder.singleValueContainer()
      try container.encode(value)
    case .clear(let value):
      (encoder.userInfo[.secretWitness] as? SecretWitness)?.sawClear()
      let key = encoder.userInfo[.secretKey] as? SecretKey ?? .process
      try encode(key.digest(of: EventCodec().encode(value)), to: encoder)
    case .digest(let digest): try encode(digest, to: encoder)
    }
  }

  private func encode(_ digest: Digest, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(digest.description, forKey: .digest)
  }
}

extension Secret: Decodable {
  /// Reads a digest where there is one, else a value in the clear.
  ///
  /// - Throws: `DecodingError`, which does not say what was there.
  public init(from decoder: any Decoder) throws {
    if let digest = Self.digest(from: decoder) {
      content = .digest(digest)
      return
    }
    do {
      content = .clear(try decoder.singleValueContainer().decode(Value.self))
    } catch {
      let context = DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "expected a secret \(Value.self); what was there is not shown")
      throw DecodingError.dataCorrupted(context)
    }
    (decoder.userInfo[.secretWitness] as? SecretWitness)?.sawClear()
  }

  private static func digest(from decoder: any Decoder) -> Digest? {
    guard let container = try? decoder.container(keyedBy: CodingKeys.self),
      let text = try? container.decode(String.self, forKey: .digest)
    else { return nil }
    return Digest(hex: text)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// That there is a secret.
  public var description: String { "Secret(hidden)" }

  /// That there is a secret.
  public var debugDescription: String { description }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
