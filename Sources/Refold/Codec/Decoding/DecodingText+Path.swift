import JSONTree

extension DecodingText {
  /// The way from the root to `node`. Nothing keeps it while decoding goes well: the tape tells it
  /// when an error asks.
  /// - Complexity: O(n) in the nodes before `node`.
  func codingPath(to node: Int) -> [any CodingKey] {
    var path: [any CodingKey] = []
    var place = 0
    while place != node, let (key, next) = step(from: place, towards: node) {
      path.append(key)
      place = next
    }
    return path
  }

  func pointer(to node: Int) -> JSONPointer { JSONPointer(codingPath: codingPath(to: node)) }

  /// The child of `container` in which `node` lies, or of which it is the key.
  private func step(from container: Int, towards node: Int) -> (key: PathKey, next: Int)? {
    let end = Int(index.nodes[container].next)
    let isObject = index.nodes[container].kind == .object
    var (child, position) = (container + 1, 0)
    while child < end {
      let value = isObject ? child + 1 : child
      if node < Int(index.nodes[value].next) {
        let key =
          isObject
          ? PathKey(stringValue: index.string(at: child, in: bytes)) : PathKey(index: position)
        return (key, node == child ? child : value)
      }
      (child, position) = (Int(index.nodes[value].next), position + 1)
    }
    return nil
  }

  /// The node at `pointer`, of which the last of equal keys counts.
  func node(at pointer: JSONPointer) -> Int? {
    var node = 0
    for token in pointer.tokens {
      guard let child = child(token, of: node) else { return nil }
      node = child
    }
    return node
  }

  private func child(_ token: String, of node: Int) -> Int? {
    guard index.nodes[node].kind == .array else {
      guard index.nodes[node].kind == .object else { return nil }
      return findKey(token, of: node).map { $0 + 1 }
    }
    var (element, rest) = (node + 1, Int(token) ?? -1)
    while rest > 0, element < Int(index.nodes[node].next) {
      (element, rest) = (Int(index.nodes[element].next), rest - 1)
    }
    return rest == 0 && element < Int(index.nodes[node].next) ? element : nil
  }
}
