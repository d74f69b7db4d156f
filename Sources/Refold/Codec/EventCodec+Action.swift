import JSONTree

extension EventCodec {
  /// Decodes a whole input line as an action, as `decodeInputAction(_:from:)` does, and gives the
  /// payload that a log may keep of it: the line's own bytes, or, where a `Secret` stands in it in the
  /// clear, the action's encoding, in which none does.
  ///
  /// - Throws: `CodecError`, as for `decodeInputAction(_:from:)` and `encode(_:)`.
  /// - Complexity: as for these.
  public func acceptInputAction<T: Codable>(
    _ type: T.Type, from line: [UInt8]
  ) throws(CodecError) -> (action: T, payload: [UInt8]) {
    try InputActionDecoder(self).accept(type, from: line)
  }

  /// Decodes a whole input line as an action, strictly. A line that is a string, `"reset"`, may
  /// also be short for a case without values, `{"reset":{}}`; that is tried only where the line does
  /// not decode as it stands.
  ///
  /// - Throws: `CodecError` for the line as it stands, or for what it is short for, where the
  ///   action's type takes no string at all.
  /// - Complexity: as for `decodeInput(_:from:)`.
  public func decodeInputAction<T: Decodable>(
    _ type: T.Type, from line: RawSpan
  ) throws(CodecError) -> T {
    try line.withUnsafeBytes { bytes throws(CodecError) in
      try decodeAction(type, from: bytes, isStrict: true)
    }
  }

  /// Decodes a whole input line as an action, strictly.
  /// - Throws: `CodecError`, as for a span.
  public func decodeInputAction<T: Decodable>(
    _ type: T.Type, from line: [UInt8]
  ) throws(CodecError) -> T {
    try decodeInputAction(type, from: line.span.bytes)
  }

  /// Decodes an action's payload read back from a log, leniently. Payloads are the accepted bytes,
  /// so that the short form is understood here as well.
  /// - Throws: `CodecError`, as for `decodeInputAction(_:from:)`.
  /// - Complexity: as for `decode(_:from:)`.
  public func decodeAction<T: Decodable>(
    _ type: T.Type, from payload: RawSpan
  ) throws(CodecError) -> T {
    try payload.withUnsafeBytes { bytes throws(CodecError) in
      try decodeAction(type, from: bytes, isStrict: false)
    }
  }

  /// Decodes an action's payload read back from a log, leniently.
  /// - Throws: `CodecError`, as for `decodeInputAction(_:from:)`.
  public func decodeAction<T: Decodable>(
    _ type: T.Type, from payload: [UInt8]
  ) throws(CodecError) -> T {
    try decodeAction(type, from: payload.span.bytes)
  }
}

extension EventCodec {
  private func decodeAction<T: Decodable>(
    _ type: T.Type, from bytes: UnsafeRawBufferPointer, isStrict: Bool
  ) throws(CodecError) -> T {
    do throws(CodecError) {
      return try decode(type, from: bytes, isStrict: isStrict)
    } catch {
      guard let object = Self.written(out: bytes) else { throw error }
      return try decodeShorthand(type, from: object, isStrict: isStrict, failure: error)
    }
  }

  private func decodeShorthand<T: Decodable>(
    _ type: T.Type, from object: [UInt8], isStrict: Bool, failure: CodecError
  ) throws(CodecError) -> T {
    do throws(CodecError) {
      return try object.span.bytes.withUnsafeBytes { bytes throws(CodecError) in
        try decode(type, from: bytes, isStrict: isStrict)
      }
    } catch {
      // A type that asked for an object and got a string learns more from what the string is short
      // for; a type that read the string itself has said what is wrong with it.
      let takesObjects = failure.kind == .wrongKind && failure.expected == "an object"
      throw takesObjects ? error : failure
    }
  }

  /// `{"reset":{}}` for `"reset"`; nil for a line that is no string.
  private static func written(out bytes: UnsafeRawBufferPointer) -> [UInt8]? {
    let isString = bytes.first { !whitespace.contains($0) } == UInt8(ascii: "\"")
    return isString ? Array("{".utf8) + bytes + Array(":{}}".utf8) : nil
  }

  private static let whitespace = " \t\r\n".utf8
}
