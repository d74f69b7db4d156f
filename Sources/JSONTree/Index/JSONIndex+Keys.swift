extension JSONIndex {
  /// The first key, in the order of the text, that repeats one of its own object. Keys are compared
  /// by the bytes of their unescaped text.
  /// - Parameter bytes: the text that was parsed.
  /// - Complexity: O(n log n) in the members.
  package mutating func firstDuplicateKey(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard hasSeveralMembers else { return nil }
    var first: Int?
    for node in nodes.indices where nodes[node].kind == .object {
      guard let repeated = resolveDuplicates(of: node, in: bytes) else { continue }
      first = min(first ?? repeated, repeated)
    }
    return first
  }

  /// Marks as shadowed each key of the object that stands there again further on.
  /// - Returns: the first key that repeats an earlier one.
  @discardableResult
  package mutating func resolveDuplicates(
    of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    let end = Int(nodes[object].next)
    // One member needs no comparison: the node after its value is the object's end.
    guard object + 1 < end, Int(nodes[object + 2].next) != end,
      !nodes[object].flags.contains(.resolved)
    else { return nil }
    nodes[object].flags.insert(.resolved)
    return count(of: object) <= Self.fewMembers
      ? shadowAmongFew(of: object, in: bytes) : shadowAmongMany(of: object, in: bytes)
  }

  /// Up to so many members, comparing each with each is quicker than sorting.
  private static let fewMembers = 8

  private mutating func shadowAmongFew(
    of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    let end = Int(nodes[object].next)
    var repeated: Int?
    var earlier = object + 1
    while earlier < end {
      let following = Int(nodes[earlier + 1].next)
      var later = following
      while later < end {
        if haveEqualKeys(earlier, later, in: bytes) {
          nodes[earlier].flags.insert(.shadowed)
          repeated = min(repeated ?? later, later)
        }
        later = Int(nodes[later + 1].next)
      }
      earlier = following
    }
    return repeated
  }

  private mutating func shadowAmongMany(
    of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    let keys = self.keys(of: object).sorted {
      let order = compareKeys($0, $1, in: bytes)
      return order != 0 ? order < 0 : $0 < $1
    }
    var repeated: Int?
    for (earlier, later) in zip(keys, keys.dropFirst())
    where compareKeys(earlier, later, in: bytes) == 0 {
      nodes[earlier].flags.insert(.shadowed)
      repeated = min(repeated ?? later, later)
    }
    return repeated
  }

  /// The key nodes of an object, in the order of the text.
  /// - Complexity: O(n) in them.
  package func keys(of object: Int) -> [Int] {
    let end = Int(nodes[object].next)
    var keys: [Int] = []
    var key = object + 1
    while key < end {
      keys.append(key)
      key = Int(nodes[key + 1].next)
    }
    return keys
  }

  /// The bytes of the key of an object that has this one alone, where it holds no escapes.
  package func onlyKey(
    of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer? {
    let end = Int(nodes[object].next)
    guard object + 1 < end, Int(nodes[object + 2].next) == end, !nodes[object + 1].isEscaped else {
      return nil
    }
    return content(of: nodes[object + 1], in: bytes)
  }

  private func haveEqualKeys(
    _ left: Int, _ right: Int, in bytes: UnsafeRawBufferPointer
  ) -> Bool {
    let (one, other) = (nodes[left], nodes[right])
    if one.isEscaped || other.isEscaped {
      return compareKeys(left, right, in: bytes) == 0
    }
    guard one.end - one.start == other.end - other.start else { return false }
    return JSONText.compare(content(of: one, in: bytes), content(of: other, in: bytes)) == 0
  }

  private func compareKeys(_ left: Int, _ right: Int, in bytes: UnsafeRawBufferPointer) -> Int {
    let (one, other) = (nodes[left], nodes[right])
    guard one.isEscaped || other.isEscaped else {
      return JSONText.compare(content(of: one, in: bytes), content(of: other, in: bytes))
    }
    return unescaped(one, in: bytes).withUnsafeBytes { one in
      unescaped(other, in: bytes).withUnsafeBytes { JSONText.compare(one, $0) }
    }
  }

  private func unescaped(_ node: JSONNode, in bytes: UnsafeRawBufferPointer) -> [UInt8] {
    JSONText.bytes(content(of: node, in: bytes), escaped: node.isEscaped)
  }

  /// The bytes between a string's quotation marks, escapes and all.
  package func content(
    of node: JSONNode, in bytes: UnsafeRawBufferPointer
  ) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[node.content])
  }

  /// The string at `node`, without its escapes.
  /// - Complexity: O(n) in its bytes.
  package func string(at node: Int, in bytes: UnsafeRawBufferPointer) -> String {
    let node = nodes[node]
    return JSONText.string(
      content(of: node, in: bytes), escaped: node.isEscaped)
  }
}

extension JSONIndex {
  /// The node of the key whose unescaped bytes are `name`, of those that are not shadowed; nil where
  /// the object has none.
  ///
  /// Looks first where the last key was found, so that reading the members in the order of the text
  /// is linear however many they are.
  /// - Complexity: O(n) in the members.
  package mutating func findKey(
    _ name: UnsafeRawBufferPointer, of object: Int, in bytes: UnsafeRawBufferPointer
  ) -> Int? {
    let (hint, end) = (Int(nodes[object].hint), Int(nodes[object].next))
    let start = hint == 0 ? object + 1 : hint
    guard
      let key = findKey(name, in: start..<end, bytes)
        ?? findKey(name, in: object + 1..<start, bytes)
    else { return nil }
    if key != hint { nodes[object].hint = UInt32(truncatingIfNeeded: key) }
    return key
  }

  private func findKey(
    _ name: UnsafeRawBufferPointer, in keys: Range<Int>, _ bytes: UnsafeRawBufferPointer
  ) -> Int? {
    var key = keys.lowerBound
    while key < keys.upperBound {
      if isKey(nodes[key], name, bytes) { return key }
      key = Int(nodes[key + 1].next)
    }
    return nil
  }

  private func isKey(
    _ node: JSONNode, _ name: UnsafeRawBufferPointer, _ bytes: UnsafeRawBufferPointer
  ) -> Bool {
    if node.isShadowed { return false }
    if node.isEscaped { return unescaped(node, in: bytes).elementsEqual(name) }
    let range = node.content
    return range.count == name.count
      && JSONText.compare(UnsafeRawBufferPointer(rebasing: bytes[range]), name) == 0
  }
}
