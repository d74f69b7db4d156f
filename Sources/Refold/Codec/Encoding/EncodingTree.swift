import JSONTree

/// What one encoding has encoded so far: a tree of nodes in one array, the text of their scalars
/// and keys in another.
///
/// Containers may be written in any order, several at a time, and are never told that they are
/// finished; so each only adds nodes, and the bytes are written when the whole tree is there,
/// members sorted. A class, because every encoder and container of one encoding shares it. It
/// belongs to the one call that encodes, on the thread that called.
final class EncodingTree {
  private(set) var nodes: [EncodingNode] = []
  /// The JSON text of scalars, and the UTF-8 of keys without escapes.
  private(set) var scratch: [UInt8] = []
  private let sendableUserInfo: [CodingUserInfoKey: any Sendable]
  /// The first misuse by a type's own `encode(to:)` where the protocol lets nothing be thrown.
  private var failure: EncodingError?

  static let root = 0

  init(userInfo: [CodingUserInfoKey: any Sendable]) {
    sendableUserInfo = userInfo
    nodes.reserveCapacity(8)
    scratch.reserveCapacity(64)
    nodes.append(EncodingNode(parent: 0))
  }

  var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo.mapValues { $0 } }
}

/// A value that is, or will be, encoded. Nodes refer to one another by their place in the array,
/// where 0, the root, which is nobody's child, stands for none.
struct EncodingNode {
  enum Kind: UInt8 {
    /// Nothing has been encoded yet.
    case nothing
    case scalar
    case array
    case object
  }

  /// In which order an array's elements are written.
  enum Order: UInt8 {
    case asEncoded
    /// A Set's: sorted by their bytes.
    case elements
    /// A Dictionary's: pairs of key and value, sorted by their bytes.
    case pairs
  }

  var kind = Kind.nothing
  var order = Order.asEncoded
  /// Whether the container was asked for as a nested one, and is shared by all who ask.
  var isNested = false
  /// The key in `scratch`, for a member of an object.
  var key: Range<UInt32> = 0..<0
  /// The text in `scratch`, for a scalar.
  var text: Range<UInt32> = 0..<0
  let parent: UInt32
  var next: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  var count: UInt32 = 0

  init(parent: Int) { self.parent = UInt32(truncatingIfNeeded: parent) }
}

extension EncodingTree {
  /// Adds a value to the array at `parent`.
  func addElement(to parent: Int) -> Int {
    let node = nodes.count
    nodes.append(EncodingNode(parent: parent))
    let link = UInt32(truncatingIfNeeded: node)
    let last = Int(nodes[parent].lastChild)
    if last == 0 { nodes[parent].firstChild = link } else { nodes[last].next = link }
    nodes[parent].lastChild = link
    nodes[parent].count &+= 1
    return node
  }

  /// Adds a member to the object at `parent`.
  func addMember(_ key: String, to parent: Int) -> Int {
    let node = addElement(to: parent)
    var key = key
    nodes[node].key = note { scratch in key.withUTF8 { scratch.append(contentsOf: $0) } }
    return node
  }

  /// Makes the value at `node` a scalar of the text that `body` appends to the bytes it is given.
  func setScalar(at node: Int, _ body: (inout [UInt8]) -> Void) throws {
    guard nodes[node].kind == .nothing else {
      throw misuse(at: node, "more than one value was encoded into a single value container")
    }
    nodes[node].text = note(body)
    nodes[node].kind = .scalar
  }

  /// Makes the value at `node` an array or an object, or finds that it is one already.
  ///
  /// - Returns: the node to write to. Where the value is something else already, a node of its own,
  ///   because a container must be returned; the encoding then fails in the end.
  func open(_ kind: EncodingNode.Kind, at node: Int) -> Int {
    if nodes[node].kind == kind { return node }
    guard nodes[node].kind == .nothing else {
      let found = nodes[node].kind == .scalar ? "a single value" : "an \(nodes[node].kind)"
      fail(misuse(at: node, "an \(kind) was begun where \(found) is encoded already"))
      nodes.append(EncodingNode(parent: node))
      return nodes.count - 1
    }
    nodes[node].kind = kind
    return node
  }

  /// Opens a container for a child that was added for nothing else.
  func openNested(_ kind: EncodingNode.Kind, at node: Int) -> Int {
    nodes[node].isNested = true
    return open(kind, at: node)
  }

  func setOrder(_ order: EncodingNode.Order, at node: Int) { nodes[node].order = order }

  /// The bytes that `body` appends to `scratch`. Their places have 32 bits, as in an index: what
  /// is longer could not be read back, and fails in the end.
  private func note(_ body: (inout [UInt8]) -> Void) -> Range<UInt32> {
    let start = scratch.count
    body(&scratch)
    guard scratch.count <= JSONIndex.maximumLength else {
      fail(misuse(at: Self.root, "the value takes more than \(JSONIndex.maximumLength) bytes"))
      scratch.removeSubrange(start...)
      return 0..<0
    }
    return Range(
      uncheckedBounds: (
        UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: scratch.count)
      ))
  }

  private func fail(_ error: EncodingError) {
    if failure == nil { failure = error }
  }

  /// Appends the JSON of the whole tree to `bytes`.
  func write(into bytes: inout [UInt8]) throws {
    if let failure { throw failure }
    var writer = EncodingWriter(tree: self, bytes: [])
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    try writer.write(Self.root, depth: 0)
  }
}

extension EncodingTree {
  /// Encodes `value` at `node`, by its own coding or as one of the types with another JSON form.
  func encode<T: Encodable>(_ value: T, at node: Int) throws {
    if try encodeFoundationValue(value, at: node) { return }
    try value.encode(to: ValueEncoder(tree: self, node: node, type: T.self))
    guard nodes[node].kind != .nothing else {
      throw error(
        at: node, value: value, expected: "a value that encodes something",
        found: "a \(T.self), which encodes nothing")
    }
  }

  /// The error for a value that JSON cannot hold.
  func error(at node: Int, value: Any, expected: String, found: String) -> EncodingError {
    let path = codingPath(to: node)
    let error = CodecError(
      kind: .notEncodable, pointer: JSONPointer(codingPath: path), expected: expected, found: found)
    return .invalidValue(
      value, .init(codingPath: path, debugDescription: error.message, underlyingError: error))
  }

  private func misuse(at node: Int, _ reason: String) -> EncodingError {
    error(at: node, value: reason, expected: "", found: reason)
  }

  /// The way from the root to `node`, told by the tree when somebody asks.
  /// - Complexity: O(n) in the elements of the arrays on the way.
  func codingPath(to node: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var node = node
    while node != Self.root {
      let parent = Int(nodes[node].parent)
      path.append(nodes[parent].kind == .array ? index(of: node, in: parent) : key(of: node))
      node = parent
    }
    return path.reversed()
  }

  private func key(of node: Int) -> PathKey {
    let key = nodes[node].key
    return PathKey(
      stringValue: String(
        decoding: scratch[Int(key.lowerBound)..<Int(key.upperBound)], as: UTF8.self))
  }

  private func index(of node: Int, in array: Int) -> PathKey {
    var (child, index) = (Int(nodes[array].firstChild), 0)
    while child != node, child != 0 { (child, index) = (Int(nodes[child].next), index + 1) }
    return PathKey(index: index)
  }
}
