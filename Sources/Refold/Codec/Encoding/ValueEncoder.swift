/// The encoder of one value: a node of the tree.
///
/// Small enough (three words) for an existential to hold without a box of its own.
struct ValueEncoder: Encoder, SingleValueEncodingContainer {
  let tree: EncodingTree
  let node: Int
  /// The type of the value, which tells a Set from an Array.
  let type: Any.Type

  var codingPath: [any CodingKey] { tree.codingPath(to: node) }
  var userInfo: [CodingUserInfoKey: Any] { tree.userInfo }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    tree.container(at: tree.open(.object, at: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    let array = tree.open(.array, at: node)
    let order = tree.order(of: type)
    if order != .asEncoded { tree.setOrder(order, at: array) }
    return ElementsEncoder(tree: tree, node: array)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension EncodingTree {
  /// In which order the elements of a `type` are written.
  func order(of type: Any.Type) -> EncodingNode.Order {
    if let last = lastOrder, last.type == ObjectIdentifier(type) { return last.order }
    let order = (type as? any UnorderedElements.Type)?.encodedOrder ?? .asEncoded
    lastOrder = (ObjectIdentifier(type), order)
    return order
  }
}

/// A type whose elements have no order of their own, or another in every process.
private protocol UnorderedElements {
  static var encodedOrder: EncodingNode.Order { get }
}

extension Set: UnorderedElements {
  static var encodedOrder: EncodingNode.Order { .elements }
}

extension Dictionary: UnorderedElements {
  static var encodedOrder: EncodingNode.Order { .pairs }
}

extension ValueEncoder {
  func encodeNil() throws { try tree.encodeNull(at: node) }
  func encode(_ value: Bool) throws { try tree.encode(value, at: node) }
  func encode(_ value: String) throws { try tree.encode(value, at: node) }
  func encode(_ value: Double) throws { try tree.encode(value, at: node) }
  func encode(_ value: Float) throws { try tree.encode(value, at: node) }
  func encode(_ value: Int) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: Int8) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: Int16) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: Int32) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: Int64) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: Int128) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt8) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt16) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt32) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt64) throws { try tree.encode(integer: value, at: node) }
  func encode(_ value: UInt128) throws { try tree.encode(integer: value, at: node) }
  func encode<T: Encodable>(_ value: T) throws { try tree.encode(value, at: node) }
}
