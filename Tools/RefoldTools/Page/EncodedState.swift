import JSONTree

/// A state as the codec writes it, and where its values lie.
struct EncodedState {
  let bytes: [UInt8]
  let nodes: [JSONNode]

  /// A state of these bytes.
  ///
  /// - Throws: `JSONError` where they are no JSON.
  init(_ bytes: [UInt8]) throws {
    var index = JSONIndex()
    try index.parse(bytes.span.bytes)
    self.bytes = bytes
    nodes = index.nodes
  }

  /// The nodes of an array's elements.
  func elements(of array: Int) -> [Int] {
    var elements: [Int] = []
    let end = Int(nodes[array].next)
    var node = array + 1
    while node < end {
      elements.append(node)
      node = Int(nodes[node].next)
    }
    return elements
  }

  /// The text of the string at `node`.
  func text(at node: Int) -> String {
    bytes.withUnsafeBytes { bytes in
      let node = nodes[node]
      return JSONText.string(
        UnsafeRawBufferPointer(rebasing: bytes[node.content]),
        escaped: node.flags.contains(.escaped))
    }
  }

  /// Whether the value at `node` has the same bytes as the one at `otherNode` of `other`.
  func isEqual(at node: Int, to other: EncodedState, at otherNode: Int) -> Bool {
    let (range, otherRange) = (nodes[node].range, other.nodes[otherNode].range)
    guard range.count == otherRange.count else { return false }
    return bytes.withUnsafeBytes { bytes in
      other.bytes.withUnsafeBytes { others in
        CommonBytes.areEqual(
          UnsafeRawBufferPointer(rebasing: bytes[range]),
          UnsafeRawBufferPointer(rebasing: others[otherRange]))
      }
    }
  }
}
