/// The elements of one array of the text, read one after the other.
///
/// Small enough (three words) for an existential to hold without a box of its own.
struct ElementsDecoder: UnkeyedDecodingContainer {
  let text: DecodingText
  // Nodes have numbers of 32 bits.
  private let arrayNode: UInt32
  private let endNode: UInt32
  private var elementNode: UInt32
  private var position: UInt32 = 0

  init(text: DecodingText, array: Int) {
    (self.text, arrayNode) = (text, UInt32(truncatingIfNeeded: array))
    (elementNode, endNode) = (arrayNode + 1, text.index.nodes[array].next)
  }

  private var array: Int { Int(arrayNode) }
  private var element: Int { Int(elementNode) }
  var currentIndex: Int { Int(position) }

  var codingPath: [any CodingKey] { text.codingPath(to: array) }
  var count: Int? { text.index.count(of: array) }
  var isAtEnd: Bool { elementNode >= endNode }

  /// Reads the next element, and steps over it only where that went well.
  @inline(__always)
  private mutating func read<Value>(
    _ type: Value.Type, _ body: (Int) throws -> Value
  ) throws -> Value {
    guard !isAtEnd else { throw text.missingElement(type, at: currentIndex, of: array) }
    let value = try body(element)
    advance()
    return value
  }

  private mutating func advance() {
    text.markRead(element)
    elementNode = text.index.nodes[element].next
    position += 1
  }
}

extension ElementsDecoder {
  mutating func decodeNil() throws -> Bool {
    guard !isAtEnd else { throw text.missingElement(Any?.self, at: currentIndex, of: array) }
    guard text.isNull(element) else { return false }
    advance()
    return true
  }

  mutating func decode(_ type: Bool.Type) throws -> Bool { try read(type, text.bool) }
  mutating func decode(_ type: String.Type) throws -> String { try read(type, text.string) }
  mutating func decode(_ type: Double.Type) throws -> Double { try read(type, text.double) }
  mutating func decode(_ type: Float.Type) throws -> Float { try read(type, text.float) }
  mutating func decode(_ type: Int.Type) throws -> Int { try read(type, text.integer) }
  mutating func decode(_ type: Int8.Type) throws -> Int8 { try read(type, text.integer) }
  mutating func decode(_ type: Int16.Type) throws -> Int16 { try read(type, text.integer) }
  mutating func decode(_ type: Int32.Type) throws -> Int32 { try read(type, text.integer) }
  mutating func decode(_ type: Int64.Type) throws -> Int64 { try read(type, text.integer) }
  mutating func decode(_ type: Int128.Type) throws -> Int128 { try read(type, text.integer) }
  mutating func decode(_ type: UInt.Type) throws -> UInt { try read(type, text.integer) }
  mutating func decode(_ type: UInt8.Type) throws -> UInt8 { try read(type, text.integer) }
  mutating func decode(_ type: UInt16.Type) throws -> UInt16 { try read(type, text.integer) }
  mutating func decode(_ type: UInt32.Type) throws -> UInt32 { try read(type, text.integer) }
  mutating func decode(_ type: UInt64.Type) throws -> UInt64 { try read(type, text.integer) }
  mutating func decode(_ type: UInt128.Type) throws -> UInt128 { try read(type, text.integer) }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    try read(type) { [text] in try text.value(type, at: $0) }
  }
}

extension ElementsDecoder {
  mutating func nestedContainer<NestedKey: CodingKey>(
    keyedBy type: NestedKey.Type
  ) throws -> KeyedDecodingContainer<NestedKey> {
    try read(KeyedDecodingContainer<NestedKey>.self) { [text] in
      try text.openObject($0, keyedBy: type)
    }
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    try read(ElementsDecoder.self, text.openArray)
  }

  mutating func superDecoder() throws -> any Decoder {
    try read(ValueDecoder.self) { [text] in ValueDecoder(text: text, node: $0) }
  }
}
