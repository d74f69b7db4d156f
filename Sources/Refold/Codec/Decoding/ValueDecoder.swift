/// The decoder of one value: a node of the text.
///
/// Small enough (two words) for an existential to hold without a box of its own.
struct ValueDecoder: Decoder, SingleValueDecodingContainer {
  let text: DecodingText
  let node: Int

  var codingPath: [any CodingKey] { text.codingPath(to: node) }
  var userInfo: [CodingUserInfoKey: Any] { text.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    try text.openObject(node, keyedBy: type)
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try text.openArray(node) }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder {
  func decodeNil() -> Bool { text.isNull(node) }
  func decode(_ type: Bool.Type) throws -> Bool { try text.bool(at: node) }
  func decode(_ type: String.Type) throws -> String { try text.string(at: node) }
  func decode(_ type: Double.Type) throws -> Double { try text.double(at: node) }
  func decode(_ type: Float.Type) throws -> Float { try text.float(at: node) }
  func decode(_ type: Int.Type) throws -> Int { try text.integer(at: node) }
  func decode(_ type: Int8.Type) throws -> Int8 { try text.integer(at: node) }
  func decode(_ type: Int16.Type) throws -> Int16 { try text.integer(at: node) }
  func decode(_ type: Int32.Type) throws -> Int32 { try text.integer(at: node) }
  func decode(_ type: Int64.Type) throws -> Int64 { try text.integer(at: node) }
  func decode(_ type: Int128.Type) throws -> Int128 { try text.integer(at: node) }
  func decode(_ type: UInt.Type) throws -> UInt { try text.integer(at: node) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try text.integer(at: node) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try text.integer(at: node) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try text.integer(at: node) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try text.integer(at: node) }
  func decode(_ type: UInt128.Type) throws -> UInt128 { try text.integer(at: node) }
  func decode<T: Decodable>(_ type: T.Type) throws -> T { try text.value(type, at: node) }
}
