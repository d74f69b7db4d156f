import JSONTree

/// The keys and indices that lead to the one value of an encoding that is wanted. Never empty.
struct Way {
  let tokens: [String]
  /// The tokens as array indices, nil for those that are none.
  let indices: [Int?]

  /// The way that `pointer` tells; nil to the root.
  init?(_ pointer: JSONPointer) {
    if pointer.isRoot { return nil }
    tokens = pointer.tokens
    indices = tokens.map(JSONValue.arrayIndex)
  }
}

extension EncodingTree {
  /// Whether what is encoded at `node` is not wanted.
  @inline(__always)
  func isOff(_ node: Int) -> Bool { way != nil && storage.nodes[node].reach == .off }

  /// A container that takes whatever is encoded into it, counts its elements, and keeps nothing: a
  /// type may ask how many there are.
  func addOff(_ kind: EncodingNode.Kind) -> Int {
    let node = storage.addUnlinked(parent: Self.root)
    storage.setReach(.off, at: node)
    _ = storage.open(kind, at: node)
    return node
  }

  /// Adds a value to the array at `parent`, if it is wanted.
  func pickElement(of parent: Int) -> Int {
    switch storage.nodes[parent].reach {
    case .whole: return storage.addElement(to: parent)
    case .way where way?.indices[depth(of: parent)] == storage.count(of: parent):
      return reached(storage.addElement(to: parent))
    case .way, .off:
      storage.countElements(1, of: parent)
      return Self.off
    }
  }

  /// Adds a member to the object at `parent`, if it is wanted.
  func pickMember(_ key: String, of parent: Int) -> Int {
    switch storage.nodes[parent].reach {
    case .whole: storage.addMember(key, to: parent)
    case .way where way.map { JSONText.equal($0.tokens[depth(of: parent)], key) } == true:
      reached(storage.addMember(key, to: parent))
    case .way, .off: Self.off
    }
  }

  /// Notes that `node` lies on the way, or at its end.
  private func reached(_ node: Int) -> Int {
    if depth(of: node) != way?.tokens.count { storage.setReach(.way, at: node) }
    return node
  }

  /// The nested container that was asked for just before under the key of `node`, which was added to
  /// be that one again: elements of an array on the way are counted in one place.
  func pickedBefore(_ kind: EncodingNode.Kind, at node: Int) -> Int? {
    guard way != nil, storage.nodes[node].reach == .way else { return nil }
    let parent = Int(storage.nodes[node].parent)
    guard storage.nodes[parent].kind == .object else { return nil }
    var (child, former) = (Int(storage.nodes[parent].firstChild), 0)
    while child != node, child != 0 { (former, child) = (child, Int(storage.nodes[child].next)) }
    guard former != 0, storage.nodes[former].isNested, storage.nodes[former].kind == kind else {
      return nil
    }
    storage.fail(node)
    return former
  }

  /// How many steps lead from the root to `node`.
  func depth(of node: Int) -> Int {
    var (node, depth) = (node, 0)
    while node != Self.root { (node, depth) = (Int(storage.nodes[node].parent), depth + 1) }
    return depth
  }
}

/// An array whose elements can be encoded one at a time.
private protocol PickableElements {
  func encodeElement(_ index: Int, of node: Int, in tree: EncodingTree) throws
}

extension Array: PickableElements where Element: Encodable {
  fileprivate func encodeElement(_ index: Int, of node: Int, in tree: EncodingTree) throws {
    let array = tree.open(.array, at: node)
    guard indices.contains(index) else { return }
    tree.storage.countElements(index, of: array)
    try tree.encode(self[index], at: tree.addElement(to: array))
  }
}

extension EncodingTree {
  /// Encodes the one element of `value` that is on the way, without going through the others.
  /// - Returns: whether `value` is an array that the way leads into.
  func encodePicked<T: Encodable>(_ value: T, at node: Int) throws -> Bool {
    guard let way, storage.nodes[node].reach == .way, let array = value as? any PickableElements
    else { return false }
    try array.encodeElement(way.indices[depth(of: node)] ?? -1, of: node, in: self)
    return true
  }
}

extension EncodingWriter {
  /// Writes the value that `way` leads to.
  /// - Returns: whether there is one.
  mutating func write(picked way: Way) throws -> Bool {
    var node = EncodingTree.root
    for (depth, token) in way.tokens.enumerated() {
      if nodes[node].reach == .whole {
        return try write(way.tokens[depth...], in: node, depth: depth)
      }
      guard let child = child(token, of: node) else { return false }
      node = child
    }
    try write(node, depth: way.tokens.count)
    return true
  }

  /// What is wanted of the object or array at `node`, which has nothing else in it.
  private mutating func child(_ token: String, of node: Int) -> Int? {
    let children = children(of: node)
    guard nodes[node].kind == .object else { return children.last }
    for (former, later) in zip(children, children.dropFirst()) { merge(former, into: later) }
    return children.last
  }

  /// Writes what the rest of a way leads to in a value that had to be encoded whole.
  private mutating func write(
    _ rest: ArraySlice<String>, in node: Int, depth: Int
  ) throws -> Bool {
    let start = bytes.count
    try write(node, depth: depth)
    let whole = Array(bytes[start...])
    bytes.removeSubrange(start...)
    guard let value = try JSONValue(parsing: whole)[JSONPointer(tokens: Array(rest))] else {
      return false
    }
    value.append(to: &bytes)
    return true
  }
}

extension EventCodec {
  /// The bytes of what lies at `pointer` in the encoding of `value`, nil where nothing does: what
  /// encoding the whole and looking there gives, without encoding what lies beside the way.
  ///
  /// A value beside the way is not asked for its encoding, so that one which cannot be written goes
  /// unnoticed, and an element that its array would have left out because it failed counts.
  /// - Throws: `CodecError`, as for `encode(_:)`, about the way and what lies at its end.
  /// - Complexity: O(n log n) in the bytes of what lies there, and O(n) in the members of the objects
  ///   on the way; O(1) for an Array. The elements of a Set, and the pairs of a Dictionary without
  ///   string keys, are all encoded.
  package func encode<T: Encodable>(
    _ value: T, at pointer: JSONPointer
  ) throws(CodecError) -> [UInt8]? {
    var bytes: [UInt8] = []
    let tree = EncodingTree(userInfo: userInfo, way: Way(pointer))
    do {
      try tree.encode(value, at: EncodingTree.root)
      return try tree.write(into: &bytes) ? bytes : nil
    } catch {
      throw tree.codecError(error)
    }
  }
}
