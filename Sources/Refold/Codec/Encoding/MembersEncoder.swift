/// Writes the members of one object of the tree.
struct MembersEncoder<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let place: NodePlace

  private var tree: EncodingTree {
    @inline(__always) get { place.tree }
  }

  var codingPath: [any CodingKey] { tree.codingPath(to: place.node) }

  /// A new member for `key`. Where the key repeats, the last member is written.
  @inline(__always)
  private func add(_ key: some CodingKey) -> Int { tree.addMember(key.stringValue, to: place.node) }
}

extension MembersEncoder {
  func encodeNil(forKey key: Key) throws { try tree.encodeNull(at: add(key)) }

  func encode(_ value: Bool, forKey key: Key) throws { try tree.encode(value, at: add(key)) }

  func encode(_ value: String, forKey key: Key) throws { try tree.encode(value, at: add(key)) }

  func encode(_ value: Double, forKey key: Key) throws { try tree.encode(value, at: add(key)) }

  func encode(_ value: Float, forKey key: Key) throws { try tree.encode(value, at: add(key)) }

  func encode(_ value: Int, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: Int8, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: Int16, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: Int32, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: Int64, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: Int128, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt8, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt16, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt32, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt64, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode(_ value: UInt128, forKey key: Key) throws {
    try tree.encode(integer: value, at: add(key))
  }

  func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    try tree.encode(value, at: add(key))
  }
}

extension MembersEncoder {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type, forKey key: Key
  ) -> KeyedEncodingContainer<NestedKey> {
    tree.container(at: tree.openNested(.object, at: add(key)))
  }

  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    ElementsEncoder(tree: tree, node: tree.openNested(.array, at: add(key)))
  }

  func superEncoder() -> any Encoder {
    ValueEncoder(tree: tree, node: add(PathKey.superKey), type: Never.self)
  }

  func superEncoder(forKey key: Key) -> any Encoder {
    ValueEncoder(tree: tree, node: add(key), type: Never.self)
  }
}
