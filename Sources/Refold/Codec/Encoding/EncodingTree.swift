import JSONTree

/// What one encoding has encoded so far: a tree of nodes, and the text that was written on the way.
///
/// Containers may be written in any order, several at a time, and are never told that they are
/// finished. Mostly they come one after the other with their members sorted, and the text is the
/// document; where not, the document is put together from its pieces, by the nodes, when the whole
/// tree is there. A class, because every encoder and container of one encoding shares it. It belongs
/// to the one call that encodes, on the thread that called.
final class EncodingTree {
  // Unchecked, for a tenth of the time of encoding an action: the methods of the nodes call nothing
  // of a type's own, so that no two accesses can overlap. Nor do those that touch the others.
  @exclusivity(unchecked) var storage = EncodingNodes()
  @exclusivity(unchecked) private(set) var sendableUserInfo: [CodingUserInfoKey: any Sendable]
  @exclusivity(unchecked) private var shelf = ContainerShelf<NodePlace>()
  /// The order that was asked for last: to ask a type what it conforms to takes its time.
  @exclusivity(unchecked) var lastOrder: (type: ObjectIdentifier, order: EncodingNode.Order)?
  /// The first misuse by a type's own `encode(to:)` where the protocol lets nothing be thrown.
  @exclusivity(unchecked) private var failure: (any Error)?
  /// The innermost value whose type refused it with an error of its own.
  @exclusivity(unchecked) private var refusedNode: Int?
  /// The node of the innermost value that is being encoded, and how many are around it.
  @exclusivity(unchecked) private var innermost = (node: -1, depth: 0)

  /// What leads to the one value that is wanted; nil where all is.
  let way: Way?
  /// Where arrays are told by their version instead of their elements.
  let versions: ArrayVersions?

  static let root = 0
  /// Where a value goes that is not wanted.
  static let off = 1

  /// - Parameter way: leads to the one value that is wanted; nil, or to the root, where all is.
  init(
    userInfo: [CodingUserInfoKey: any Sendable] = [:], way: Way? = nil,
    versions: ArrayVersions? = nil
  ) {
    sendableUserInfo = userInfo
    (self.way, self.versions) = (way, versions)
    if way != nil { storage = EncodingNodes(pickingWith: Self.off) }
  }

  var userInfo: [CodingUserInfoKey: Any] { sendableUserInfo.mapValues { $0 } }

  /// Makes ready for another value.
  func open(userInfo: [CodingUserInfoKey: any Sendable]) {
    if !userInfo.isEmpty { sendableUserInfo = userInfo }
  }

  /// Forgets the value.
  /// - Returns: whether nobody kept a container, so that another value can be encoded.
  func close() -> Bool {
    if !sendableUserInfo.isEmpty { sendableUserInfo = [:] }
    if failure != nil { failure = nil }
    refusedNode = nil
    return shelf.takeBack { $0.keptTree = self }
  }

  /// Makes room for another value, where nobody kept an encoder or a container.
  func empty() { storage.removeAll() }

  /// Hands no container out again: what somebody kept writes where nobody looks, and each container
  /// that is asked for there keeps the tree.
  func retire() { shelf.retire() }
}

extension EncodingTree {
  /// Writes the members of the object at `node`.
  func container<Key>(at node: Int) -> KeyedEncodingContainer<Key> {
    let key = ObjectIdentifier(Key.self)
    if let container = shelf.take(key, { $0.node = node }) {
      return container.taken(as: KeyedEncodingContainer<Key>.self)
    }
    return makeContainer(for: key, at: node)
  }

  private func makeContainer<Key>(
    for key: ObjectIdentifier, at node: Int
  ) -> KeyedEncodingContainer<Key> {
    let place = NodePlace(self, node)
    let container = KeyedEncodingContainer(MembersEncoder<Key>(place: place))
    // Read as the reference that it was seen to be.
    let isOnShelf =
      ContainerReference.isKnown
      && withUnsafeBytes(of: container) {
        shelf.keep($0.load(as: ContainerReference.self), key, place)
      }
    if !isOnShelf { place.keptTree = self }
    return container
  }
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
  func setScalar(at node: Int, _ body: (inout Growing<UInt8>) -> Void) throws {
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
    storage.finish()
    return try storage.nodes.withElements { nodes in
      try storage.text.withElements { text in
        if way == nil, let document = nodes[Self.root].json(in: text) {
          bytes.append(contentsOf: document)
          return true
        }
        return try put(together: nodes, text, into: &bytes)
      }
    }
  }

  private func put(
    together nodes: UnsafeBufferPointer<EncodingNode>, _ text: UnsafeBufferPointer<UInt8>,
    into bytes: inout [UInt8]
  ) throws -> Bool {
    var writer = EncodingWriter(tree: self, nodes: nodes, text: text, bytes: [])
    swap(&writer.bytes, &bytes)
    defer { swap(&writer.bytes, &bytes) }
    if let way { return try writer.write(picked: way) }
    try writer.writeDocument()
    return true
  }
}

extension EncodingTree {
  /// Encodes `value` at `node`, by its own coding or as one of the types with another JSON form.
  func encode<T: Encodable>(_ value: T, at node: Int) throws {
    if isOff(node) { return }
    let outer = innermost
    // Each takes stack: more of them than can be written end here, before that does. One at the same
    // node only wraps what is in it.
    if node != outer.node {
      guard outer.depth <= JSONIndex.maximumDepth else { throw tooDeep(at: node) }
      innermost = (node, outer.depth + 1)
    }
    defer { innermost = outer }
    do {
      if try encodeFoundationValue(value, at: node) { return }
      if way != nil, try encodePicked(value, at: node) { return }
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

  /// The error for a value that lies deeper than can be read back.
  func tooDeep(at node: Int) -> EncodingError {
    error(
      at: node, value: node,
      expected: "arrays and objects nested no deeper than \(JSONIndex.maximumDepth) levels",
      found: "more levels")
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
      let parent = Int(storage.nodes[node].parent)
      let isElement = storage.nodes[parent].kind == .array
      path.append(
        isElement
          ? index(of: node, in: parent) : PathKey(stringValue: storage.key(of: node)))
      node = parent
    }
    return path.reversed()
  }

  private func index(of node: Int, in array: Int) -> PathKey {
    if storage.nodes[array].reach == .way {
      return PathKey(index: way?.indices[depth(of: array)] ?? 0)
    }
    var (child, index) = (Int(storage.nodes[array].firstChild), 0)
    while child != node, child != 0 { (child, index) = (Int(storage.nodes[child].next), index + 1) }
    return PathKey(index: index)
  }
}
