/// Writes the elements of one array of the tree.
struct ElementsEncoder: UnkeyedEncodingContainer {
  let tree: EncodingTree
  let node: Int

  var codingPath: [any CodingKey] { tree.codingPath(to: node) }
  var count: Int { tree.count(of: node) }

  private func add() -> Int { tree.addElement(to: node) }
}

extension ElementsEncoder {
  func encodeNil() throws { try tree.encodeNull(at: add()) }
  func encode(_ value: Bool) throws { try tree.encode(value, at: add()) }
  func encode(_ value: String) throws { try tree.encode(value, at: add()) }
  func encode(_ value: Double) throws { try tree.encode(value, at: add()) }
  func encode(_ value: Float) throws { try tree.encode(value, at: add()) }
  func encode(_ value: Int) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: Int8) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: Int16) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: Int32) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: Int64) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: Int128) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt8) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt16) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt32) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt64) throws { try tree.encode(integer: value, at: add()) }
  func encode(_ value: UInt128) throws { try tree.encode(integer: value, at: add()) }
  func encode<T: Encodable>(_ value: T) throws { try tree.encode(value, at: add()) }
}

extension ElementsEncoder {
  func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) -> KeyedEncodingContainer<NestedKey> {
    tree.container(at: tree.openNested(.object, at: add()))
  }

  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    ElementsEncoder(tree: tree, node: tree.openNested(.array, at: add()))
  }

  func superEncoder() -> any Encoder {
    ValueEncoder(tree: tree, node: add(), type: Never.self)
  }
}
