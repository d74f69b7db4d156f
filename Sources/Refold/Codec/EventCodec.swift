import JSONTree

/// Turns actions, mutations and states into JSON bytes and back: the only place that knows how.
///
///     let codec = EventCodec()
///     let payload = try codec.encode(Action.increase(by: 2))        // {"increase":{"by":2}}
///     let action = try codec.decode(Action.self, from: payload)
///
/// Equal values give equal bytes, in every process: object keys are sorted by their UTF-8 bytes,
/// the elements of a Set and the pairs of a Dictionary without string keys by their encoded bytes.
/// (What a type's own `encode(to:)` hands on with `set.encode(to: encoder)`, instead of encoding
/// the set into a container, keeps the set's own order: nobody can tell a set from an array there.)
///
/// What the values look like:
/// - Integers that do not fit and non-finite numbers are refused both ways, never rounded. `1.0`
///   and `1e3` decode as integers. Other decimals take the nearest Double; a Double takes its
///   shortest digits, an integral one without a point: `2`, and `-0` for negative zero.
/// - `Date` is ISO 8601 in UTC, years 0 to 9999, with as many digits of a second as bring back the
///   same date exactly. An offset such as `+02:00` is understood.
/// - `Data` is base64, `URL` a string, `Decimal` a number with all its digits.
/// - A Dictionary with String, Int or CodingKeyRepresentable keys is an object; with others an
///   array of key, value, key, value.
///
/// A codec is a value without state: use one from any thread.
public struct EventCodec: Sendable {
  /// Handed to `init(from:)` and `encode(to:)` as their coder's `userInfo`.
  public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

  /// A codec.
  public init() {}

  /// A codec that digests secrets with `secretKey`.
  public init(secretKey: SecretKey) { userInfo[.secretKey] = secretKey }
}

extension EventCodec {
  /// The bytes of `value`.
  /// - Throws: `CodecError` for a number that JSON cannot write, a value that encodes nothing or
  ///   lies deeper than `JSONIndex.maximumDepth`, and whatever the type's own `encode(to:)` throws.
  /// - Complexity: O(n log n) in the bytes.
  public func encode<T: Encodable>(_ value: T) throws(CodecError) -> [UInt8] {
    var bytes: [UInt8] = []
    try encode(value, into: &bytes)
    return bytes
  }

  /// Appends the bytes of `value` to `bytes`, which stay as they were where this throws.
  /// - Throws: `CodecError`, as for `encode(_:)`.
  /// - Complexity: O(n log n) in the bytes.
  public func encode<T: Encodable>(_ value: T, into bytes: inout [UInt8]) throws(CodecError) {
    let count = bytes.count
    var tree = Self.spareTree.take() ?? EncodingTree()
    // What somebody kept an encoder or a container of is not used again.
    defer {
      if tree.close(), isKnownUniquelyReferenced(&tree) {
        tree.empty()
        Self.spareTree.put(tree)
      } else {
        tree.retire()
      }
    }
    tree.open(userInfo: userInfo)
    do {
      try tree.encode(value, at: EncodingTree.root)
      try tree.write(into: &bytes)
    } catch {
      bytes.removeSubrange(count...)
      throw tree.codecError(error)
    }
  }

  private static let spareTree = Spare<EncodingTree>()
}

extension EventCodec {
  /// Decodes a payload read back from a log, leniently: keys that the type does not know are
  /// ignored, and of a key that repeats the last counts.
  /// - Throws: `CodecError`, which says where, what was expected, and what was there.
  /// - Complexity: O(n) in the bytes for types that read an object's members in order or have few.
  public func decode<T: Decodable>(
    _ type: T.Type, from payload: RawSpan
  ) throws(CodecError) -> T {
    try payload.withUnsafeBytes { bytes throws(CodecError) in
      try decode(type, from: bytes, isStrict: false)
    }
  }

  /// Decodes a payload read back from a log, leniently.
  /// - Throws: `CodecError`, as for a span.
  public func decode<T: Decodable>(
    _ type: T.Type, from payload: [UInt8]
  ) throws(CodecError) -> T {
    try decode(type, from: payload.span.bytes)
  }

  /// Decodes input, strictly: a key or an element that decoding did not read is an error, and so is
  /// a key that repeats, so that a typo cannot pass.
  /// - Throws: `CodecError`, which says where, what was expected, and what was there.
  /// - Complexity: as for `decode(_:from:)`, and O(n log n) in the members of an object.
  public func decodeInput<T: Decodable>(
    _ type: T.Type, from input: RawSpan
  ) throws(CodecError) -> T {
    try input.withUnsafeBytes { bytes throws(CodecError) in
      try decode(type, from: bytes, isStrict: true)
    }
  }

  /// Decodes input, strictly.
  /// - Throws: `CodecError`, as for a span.
  public func decodeInput<T: Decodable>(
    _ type: T.Type, from input: [UInt8]
  ) throws(CodecError) -> T {
    try decodeInput(type, from: input.span.bytes)
  }
}

extension EventCodec {
  func decode<T: Decodable>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, isStrict: Bool
  ) throws(CodecError) -> T {
    var text = Self.spareText.take() ?? DecodingText()
    // What somebody kept a decoder or a container of is not used again, and reaches no bytes.
    defer {
      if text.close(), isKnownUniquelyReferenced(&text) {
        Self.spareText.put(text)
      } else {
        text.forget()
      }
    }
    try text.open(bytes, isStrict: isStrict, userInfo: userInfo)
    do {
      let value = try text.value(type, at: 0)
      guard isStrict, text.unreadCount > 0, let unread = text.firstUnread() else { return value }
      throw try unreadError(type, bytes: bytes, unread: unread)
    } catch {
      throw text.codecError(error)
    }
  }

  private static let spareText = Spare<DecodingText>()

  /// The error for what decoding left unread. Decodes once more, to list the keys that the type
  /// asks for: noting them the first time would slow every action down.
  private func unreadError<T: Decodable>(
    _ type: T.Type, bytes: UnsafeRawBufferPointer, unread: DecodingText.Unread
  ) throws(CodecError) -> CodecError {
    let text = DecodingText()
    defer {
      _ = text.close()
      text.forget()
    }
    try text.open(bytes, isStrict: true, userInfo: userInfo)
    text.askedKeys = [:]
    _ = try? text.value(type, at: 0)
    return text.error(for: unread)
  }
}
