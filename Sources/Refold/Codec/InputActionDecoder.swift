/// Accepts line after line of input: what `EventCodec.acceptInputAction(_:from:)` does for one, ready
/// for the next without making anything anew.
///
/// Belongs to one thread at a time: a line is decoded, then looked at for the secrets in it.
package struct InputActionDecoder: Sendable {
  private let codec: EventCodec
  private let witness = SecretWitness()

  /// A decoder that decodes and encodes as `codec` does.
  package init(_ codec: EventCodec) {
    var codec = codec
    codec.userInfo[.secretWitness] = witness
    self.codec = codec
  }

  /// The action that `line` is, and the payload that a log may keep of it.
  /// - Throws: as `EventCodec.acceptInputAction(_:from:)`.
  package func accept<T: Codable>(
    _ type: T.Type, from line: [UInt8]
  ) throws(CodecError) -> (action: T, payload: [UInt8]) {
    witness.forget()
    let action = try codec.decodeInputAction(type, from: line)
    return (action, witness.hasSeenClear ? try codec.encode(action) : line)
  }
}
