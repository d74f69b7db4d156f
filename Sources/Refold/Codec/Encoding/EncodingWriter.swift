import JSONTree

/// Writes a finished tree as JSON, recursively: no deeper than can be read back.
struct EncodingWriter {
  private let tree: EncodingTree
  let nodes: UnsafeBufferPointer<EncodingNode>
  private let text: UnsafeBufferPointer<UInt8>
  private let hasFailures: Bool
  /// The nested containers that were asked for under the same key before the one that is written,
  /// by that one: what they were given belongs to it.
  private var earlier: [Int: [Int]] = [:]
  var bytes: [UInt8]

  /// A writer of nodes and text that must stay while it writes.
  init(
    tree: EncodingTree, nodes: UnsafeBufferPointer<EncodingNode>, text: UnsafeBufferPointer<UInt8>,
    bytes: [UInt8]
  ) {
    (self.tree, self.nodes, self.text, self.bytes) = (tree, nodes, text, bytes)
    hasFailures = tree.storage.hasFailures
  }

  mutating func writeDocument() throws {
    // Bytes to which more and more is appended grow better by themselves.
    if bytes.isEmpty { bytes.reserveCapacity(text.count) }
    try write(EncodingTree.root, depth: 0)
  }

  mutating func write(_ node: Int, depth: Int) throws {
    if earlier.isEmpty || earlier[node] == nil, let json = nodes[node].json(in: text) {
      bytes.append(contentsOf: json)
      return
    }
    switch nodes[node].kind {
    case .scalar: return
    case .array: try writeArray(node, depth: try deeper(depth, node))
    case .object: try writeObject(node, depth: try deeper(depth, node))
    // Only a super encoder that nobody used is nothing here: a class without members of its own.
    case .nothing, .failed: bytes.append(contentsOf: "{}".utf8)
    }
  }

  private func deeper(_ depth: Int, _ node: Int) throws -> Int {
    guard depth < JSONIndex.maximumDepth else { throw tree.tooDeep(at: node) }
    return depth + 1
  }

  /// What the container holds, in the order of its encoding.
  func children(of container: Int) -> [Int] {
    var children: [Int] = []
    for part in (earlier[container] ?? []) + [container] {
      var child = Int(nodes[part].firstChild)
      while child != 0 {
        if nodes[child].kind != .failed { children.append(child) }
        child = Int(nodes[child].next)
      }
    }
    return children
  }
}

extension EncodingWriter {
  private mutating func writeArray(_ array: Int, depth: Int) throws {
    bytes.append(UInt8(ascii: "["))
    switch nodes[array].order {
    case .asEncoded: try writeElements(array, depth: depth)
    case .elements: try writeSorted(array, size: 1, depth: depth)
    case .pairs: try writeSorted(array, size: 2, depth: depth)
    }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func writeElements(_ array: Int, depth: Int) throws {
    for (place, child) in children(of: array).enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      try write(child, depth: depth)
    }
  }

  /// Writes groups of `size` elements, then puts the groups' bytes in order.
  private mutating func writeSorted(_ array: Int, size: Int, depth: Int) throws {
    let start = bytes.count
    var groups: [[UInt8]] = []
    for (place, child) in children(of: array).enumerated() {
      if place % size > 0 { bytes.append(UInt8(ascii: ",")) }
      try write(child, depth: depth)
      guard place % size == size - 1 else { continue }
      groups.append(Array(bytes[start...]))
      bytes.removeSubrange(start...)
    }
    groups.sort { $0.lexicographicallyPrecedes($1) }
    bytes.append(contentsOf: groups.joined(separator: CollectionOfOne(UInt8(ascii: ","))))
  }
}

extension EncodingWriter {
  private mutating func writeObject(_ object: Int, depth: Int) throws {
    bytes.append(UInt8(ascii: "{"))
    if hasRisingKeys(object) {
      var child = Int(nodes[object].firstChild)
      while child != 0 {
        try writeMember(child, depth: depth)
        child = Int(nodes[child].next)
        if child != 0 { bytes.append(UInt8(ascii: ",")) }
      }
    } else {
      for (place, child) in sortedMembers(of: object).enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        try writeMember(child, depth: depth)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func writeMember(_ member: Int, depth: Int) throws {
    let key = nodes[member].key
    bytes.append(contentsOf: text[Int(key.start)..<Int(key.end)])
    bytes.append(UInt8(ascii: ":"))
    try write(member, depth: depth)
  }

  /// Whether the members can be written as they are: in the order of their keys, none twice.
  private func hasRisingKeys(_ object: Int) -> Bool {
    guard !hasFailures, earlier.isEmpty || earlier[object] == nil else { return false }
    var child = Int(nodes[object].firstChild)
    guard child != 0 else { return true }
    while nodes[child].next != 0 {
      let next = Int(nodes[child].next)
      guard compareKeys(child, next) < 0 else { return false }
      child = next
    }
    return true
  }

  private func compareKeys(_ left: Int, _ right: Int) -> Int {
    nodes[left].compareKey(nodes[right], in: UnsafeRawBufferPointer(text))
  }

  /// The members in the order of their keys; of those with equal keys the last.
  private mutating func sortedMembers(of object: Int) -> [Int] {
    var kept: [Int] = []
    let bytes = UnsafeRawBufferPointer(text)
    // The first bytes of the keys in one word: few keys need more to be told apart.
    let members = children(of: object).map { (start: nodes[$0].keyStart(in: bytes), node: $0) }
      .sorted { left, right in
        if left.start != right.start { return left.start < right.start }
        let order = compareKeys(left.node, right.node)
        // Nodes are numbered in the order of their encoding.
        return order != 0 ? order < 0 : left.node < right.node
      }
    for (_, member) in members {
      if let last = kept.last, compareKeys(last, member) == 0 {
        kept.removeLast()
        merge(last, into: member)
      }
      kept.append(member)
    }
    return kept
  }

  /// Asking for the same nested container again means the one that is there.
  mutating func merge(_ former: Int, into later: Int) {
    guard nodes[former].isNested, nodes[later].isNested, nodes[former].kind == nodes[later].kind
    else { return }
    earlier[later] = (earlier[former] ?? []) + [former]
  }
}
