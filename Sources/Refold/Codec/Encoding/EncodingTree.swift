import JSONTree

/// What one encoding has encoded so far: a tree of nodes in one array, the text of their scalars
/// and keys in another.
///
/// Containers may be written in any order, several at a time, and are never told that they are
/// finished; so each only adds nodes, and the bytes are written when the whole tree is there,
/// members sorted. A class, because every encoder and container of one encoding shares it. It
/// belongs to the one call that encodes, on the thread that called.
final class EncodingTree {
  // Unchecked, for a tenth of the time of encoding an action: the methods of the nodes call nothing
  // of a type's own, so that no two accesses can overlap.
  @exclusivity(unchecked) var storage = EncodingNodes()
  let sendableUserInfo: [CodingUserInfoKey: any Sendable]
  /// The first misuse by a type's own `encode(to:)` where the protocol lets nothing be thrown.
  private var failure: EncodingError?
  /// The innermost value whose type refused it with an error of its own.
  private var refusedNode: Int?

  /// What leads to the one value that is wanted; nil where all is.
  let way: Way?
  /// Where arrays are told by their version instead of their elements.
  let versions: ArrayVersions?

  static let root = 0
  /// Where a value goes that is not wanted.
  static let off = 1

  /// - Parameter way: leads to the one value that is wanted; nil, or to the root, where all is.
  init(
    userInfo: [CodingUserInfoKey: any Sendable], way: Way? = nil, versions: ArrayVersions? = nil
  ) {
    sendableUserInfo = userInfo
    (self.way, self.versions) = (way, versions)
    if way != nil { storage = EncodingNodes(pickingWith: Self.off) }
  }

  var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo.mapValues { $0 } }
}

extension EncodingTree {
  /// Adds a value to the array at `parent`.
  func addElement(to parent: Int) -> Int {
    way == nil ? storage.addElement(to: parent) : pickElement(of: parent)
  }

  /// Adds a member to the object at `parent`.
  func addMember(_ key: String, to parent: Int) -> Int {
    way == nil ? storage.addMember(key, to: parent) : pickMember(key, of: parent)
  }

  /// Makes the value at `node` a scalar of the text that `body` appends to the bytes it is given.
  @inline(__always)
  func setScalar(at node: Int, _ body: (inout [UInt8]) -> Void) throws {
    if isOff(node) { return }
    guard storage.setScalar(at: node, body) else {
      throw misuse(at: node, "more than one value was encoded into a single value container")
    }
  }

  /// Makes the value at `node` an array or an object, or finds that it is one already.
  ///
  /// - Returns: the node to write to. Where the value is something else already, a node of its own,
  ///   because a container must be returned; the encoding then fails in the end.
  func open(_ kind: EncodingNode.Kind, at node: Int) -> Int {
    if isOff(node) { return addOff(kind) }
    let found = storage.open(kind, at: node)
    guard found != kind else { return node }
    let words = found == .scalar ? "a single value" : "an \(found)"
    let error = misuse(at: node, "an \(kind) was begun where \(words) is encoded already")
    if failure == nil { failure = error }
    let spare = storage.addUnlinked(parent: node)
    return storage.open(kind, at: spare) == kind ? spare : node
  }

  /// Opens a container for a child that was added for nothing else.
  func openNested(_ kind: EncodingNode.Kind, at node: Int) -> Int {
    if let former = pickedBefore(kind, at: node) { return former }
    storage.setNested(node)
    return open(kind, at: node)
  }

  func setOrder(_ order: EncodingNode.Order, at node: Int) {
    storage.setOrder(order, at: node)
    // Which element is the nth shows when all are there.
    if way != nil, !isOff(node) { storage.setReach(.whole, at: node) }
  }

  func count(of array: Int) -> Int { storage.count(of: array) }

  /// Appends the JSON of the whole tree, or of what was picked, to `bytes`.
  /// - Returns: whether there was anything to write: what is picked may not be there.
  @discardableResult
  func write(into bytes: inout [UInt8]) throws -> Bool {
    if let failure { throw failure }
    guard !storage.isTooLong else {
      throw misuse(at: Self.root, "the value takes more than \(JSONIndex.maximumLength) bytes")
    }
    return try storage.nodes.withUnsafeBufferPointer { nodes in
      try storage.text.withUnsafeBytes { text in
        var writer = EncodingWriter(tree: self, nodes: nodes, text: text, bytes: [])
        swap(&writer.bytes, &bytes)
        defer { swap(&writer.bytes, &bytes) }
        if let way { return try writer.write(picked: way) }
        try writer.writeDocument()
        return true
      }
    }
  }
}

extension EncodingTree {
  /// Encodes `value` at `node`, by its own coding or as one of the types with another JSON form.
  func encode<T: Encodable>(_ value: T, at node: Int) throws {
    if isOff(node) { return }
    do {
      if try encodeFoundationValue(value, at: node) { return }
      if versions != nil, try encodeVersion(of: value, at: node) { return }
      try value.encode(to: ValueEncoder(tree: self, node: node, type: T.self))
      guard !storage.nodes[node].kind.isOpen else {
        throw self.error(
          at: node, value: value, expected: "a value that encodes something",
          found: "a \(T.self), which encodes nothing")
      }
    } catch {
      if refusedNode == nil, !(error is EncodingError) { refusedNode = node }
      storage.fail(node)
      throw error
    }
  }

  /// Takes back what was encoded at `node`, for whoever lives with the error.
  func fail(_ node: Int) { storage.fail(node) }

  /// The error for whatever encoding threw.
  func codecError(_ error: any Error) -> CodecError {
    guard case EncodingError.invalidValue(let value, let context)? = error as? EncodingError else {
      let path = codingPath(to: refusedNode ?? Self.root)
      return CodecError(
        kind: .refused, pointer: JSONPointer(codingPath: path), expected: "", found: "\(error)")
    }
    if let error = context.underlyingError as? CodecError { return error }
    let words = context.debugDescription
    return CodecError(
      kind: .notEncodable, pointer: JSONPointer(codingPath: context.codingPath), expected: "",
      found: words.isEmpty ? "a value that cannot be encoded: \(value)" : words)
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
    let nodes = storage.nodes
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
    let key = storage.nodes[node].key
    let text = storage.text[Int(key.lowerBound)..<Int(key.upperBound)]
    return PathKey(stringValue: String(decoding: text, as: UTF8.self))
  }

  private func index(of node: Int, in array: Int) -> PathKey {
    let nodes = storage.nodes
    if nodes[array].reach == .way { return PathKey(index: way?.indices[depth(of: array)] ?? 0) }
    var (child, index) = (Int(nodes[array].firstChild), 0)
    while child != node, child != 0 { (child, index) = (Int(nodes[child].next), index + 1) }
    return PathKey(index: index)
  }
}
