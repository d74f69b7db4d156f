import JSONTree

/// The members of one object of the text.
struct MembersDecoder<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let place: ObjectPlace

  var codingPath: [any CodingKey] { place.text.codingPath(to: place.object) }

  /// The keys that `Key` knows, each once, in the order of the text. Listing a key reads nothing.
  var allKeys: [Key] {
    guard let name = place.text.onlyKey(of: place.object) else { return listedKeys }
    if let keys: [Key] = place.knownKeys.keys(name) { return keys }
    let keys = listedKeys
    if !keys.isEmpty { place.knownKeys.note(keys, for: name) }
    return keys
  }

  private var listedKeys: [Key] {
    place.text.keyNames(of: place.object).compactMap { Key(stringValue: $0) }
  }

  func contains(_ key: Key) -> Bool { place.text.findKey(key.stringValue, of: place.object) != nil }

  /// The node of the value of `key`, which counts as read from here on.
  @inline(__always)
  private func read(_ key: some CodingKey) throws -> Int {
    guard let value = place.text.readMember(key.stringValue, of: place.object) else {
      throw place.text.missing(key, in: place.object)
    }
    return value
  }

  private var text: DecodingText {
    @inline(__always) get { place.text }
  }
}

extension MembersDecoder {
  func decodeNil(forKey key: Key) throws -> Bool {
    guard let node = text.findKey(key.stringValue, of: place.object) else {
      throw text.missing(key, in: place.object)
    }
    guard text.isNull(node + 1) else { return false }
    text.markRead(node)
    return true
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try text.bool(at: read(key))
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try text.string(at: read(key))
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try text.double(at: read(key))
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try text.float(at: read(key))
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try text.integer(at: read(key))
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try text.integer(at: read(key))
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try text.integer(at: read(key))
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try text.integer(at: read(key))
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try text.integer(at: read(key))
  }

  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try text.integer(at: read(key))
  }

  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try text.integer(at: read(key))
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try text.value(type, at: read(key))
  }
}

extension MembersDecoder {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try text.openObject(read(key), keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try text.openArray(read(key))
  }

  func superDecoder() throws -> any Decoder {
    ValueDecoder(text: text, node: try read(PathKey.superKey))
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    ValueDecoder(text: text, node: try read(key))
  }
}
