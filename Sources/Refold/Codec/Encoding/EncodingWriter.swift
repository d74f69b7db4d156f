import JSONTree

/// Writes a finished tree as JSON, recursively: no deeper than can be read back.
struct EncodingWriter {
  private var nodes: [EncodingNode]
  private let scratch: [UInt8]
  private let tree: EncodingTree
  var bytes: [UInt8]

  init(tree: EncodingTree, bytes: [UInt8]) {
    (self.tree, nodes, scratch, self.bytes) = (tree, tree.nodes, tree.scratch, bytes)
  }

  mutating func write(_ node: Int, depth: Int) throws {
    switch nodes[node].kind {
    case .scalar: bytes.append(contentsOf: scratch[Self.range(nodes[node].text)])
    case .array: try writeArray(node, depth: try deeper(depth, node))
    case .object: try writeObject(node, depth: try deeper(depth, node))
    // Only a super encoder that nobody used is nothing here: a class without members of its own.
    case .nothing: bytes.append(contentsOf: "{}".utf8)
    }
  }

  private func deeper(_ depth: Int, _ node: Int) throws -> Int {
    guard depth < JSONIndex.maximumDepth else {
      throw tree.error(
        at: node, value: node,
        expected: "arrays and objects nested no deeper than \(JSONIndex.maximumDepth) levels",
        found: "more levels")
    }
    return depth + 1
  }

  private static func range(_ range: Range<UInt32>) -> Range<Int> {
    Int(range.lowerBound)..<Int(range.upperBound)
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
    var child = Int(nodes[array].firstChild)
    while child != 0 {
      try write(child, depth: depth)
      child = Int(nodes[child].next)
      if child != 0 { bytes.append(UInt8(ascii: ",")) }
    }
  }

  /// Writes groups of `size` elements, then puts the groups' bytes in order.
  private mutating func writeSorted(_ array: Int, size: Int, depth: Int) throws {
    let start = bytes.count
    var groups: [[UInt8]] = []
    var (child, written) = (Int(nodes[array].firstChild), 0)
    while child != 0 {
      try write(child, depth: depth)
      (child, written) = (Int(nodes[child].next), written + 1)
      if written % size == 0 || child == 0 {
        groups.append(Array(bytes[start...]))
        bytes.removeSubrange(start...)
      } else {
        bytes.append(UInt8(ascii: ","))
      }
    }
    groups.sort { $0.lexicographicallyPrecedes($1) }
    bytes.append(contentsOf: groups.joined(separator: [UInt8(ascii: ",")]))
  }
}

extension EncodingWriter {
  private mutating func writeObject(_ object: Int, depth: Int) throws {
    bytes.append(UInt8(ascii: "{"))
    let first = Int(nodes[object].firstChild)
    if isSorted(from: first) {
      var child = first
      while child != 0 {
        try writeMember(child, depth: depth)
        child = Int(nodes[child].next)
        if child != 0 { bytes.append(UInt8(ascii: ",")) }
      }
    } else {
      for (place, child) in sortedMembers(from: first).enumerated() {
        if place > 0 { bytes.append(UInt8(ascii: ",")) }
        try writeMember(child, depth: depth)
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func writeMember(_ member: Int, depth: Int) throws {
    scratch.withUnsafeBytes {
      JSONText.append(
        UnsafeRawBufferPointer(rebasing: $0[Self.range(nodes[member].key)]), to: &bytes)
    }
    bytes.append(UInt8(ascii: ":"))
    try write(member, depth: depth)
  }

  /// Whether the members from `first` on have rising keys, none twice.
  private func isSorted(from first: Int) -> Bool {
    guard first != 0 else { return true }
    var child = first
    while nodes[child].next != 0 {
      let next = Int(nodes[child].next)
      guard compareKeys(child, next) < 0 else { return false }
      child = next
    }
    return true
  }

  /// The members in the order of their keys; of those with equal keys the last.
  private mutating func sortedMembers(from first: Int) -> [Int] {
    var members: [Int] = []
    var child = first
    while child != 0 {
      members.append(child)
      child = Int(nodes[child].next)
    }
    members.sort {
      let order = compareKeys($0, $1)
      return order != 0 ? order < 0 : $0 < $1
    }
    return withoutRepeats(members)
  }

  private func compareKeys(_ left: Int, _ right: Int) -> Int {
    scratch.withUnsafeBytes {
      JSONText.compare(
        UnsafeRawBufferPointer(rebasing: $0[Self.range(nodes[left].key)]),
        UnsafeRawBufferPointer(rebasing: $0[Self.range(nodes[right].key)]))
    }
  }

  /// Of members with equal keys the last, with what nested containers before it were given: asking
  /// for the same nested container again means the one that is there.
  private mutating func withoutRepeats(_ members: [Int]) -> [Int] {
    var kept: [Int] = []
    for member in members {
      if let earlier = kept.last, compareKeys(earlier, member) == 0 {
        kept.removeLast()
        merge(earlier, into: member)
      }
      kept.append(member)
    }
    return kept
  }

  private mutating func merge(_ earlier: Int, into later: Int) {
    guard nodes[earlier].isNested, nodes[later].isNested,
      nodes[earlier].kind == nodes[later].kind, nodes[earlier].firstChild != 0
    else { return }
    nodes[Int(nodes[earlier].lastChild)].next = nodes[later].firstChild
    nodes[later].firstChild = nodes[earlier].firstChild
    if nodes[later].lastChild == 0 { nodes[later].lastChild = nodes[earlier].lastChild }
  }
}
