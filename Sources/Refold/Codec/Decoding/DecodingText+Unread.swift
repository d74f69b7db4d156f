import JSONTree

extension DecodingText {
  /// A part of the input that nothing read.
  enum Unread {
    /// The key node `key` of the object `object`.
    case key(Int, object: Int)
    /// The element `node` of the array `array`, which has `position` elements before it.
    case element(Int, array: Int, position: Int)
  }

  /// The first key or element, in the order of the text, that nothing read.
  /// - Complexity: O(n) in the nodes.
  func firstUnread() -> Unread? {
    for node in index.nodes.indices {
      switch index.nodes[node].kind {
      case .object:
        if let unread = firstUnreadKey(of: node) { return unread }
      case .array:
        if let unread = firstUnreadElement(of: node) { return unread }
      case .null, .true, .false, .number, .string: continue
      }
    }
    return nil
  }

  private func firstUnreadKey(of object: Int) -> Unread? {
    let end = Int(index.nodes[object].next)
    var key = object + 1
    while key < end {
      guard index.nodes[key].isRead else { return .key(key, object: object) }
      key = Int(index.nodes[key + 1].next)
    }
    return nil
  }

  private func firstUnreadElement(of array: Int) -> Unread? {
    let end = Int(index.nodes[array].next)
    var (element, position) = (array + 1, 0)
    while element < end {
      guard index.nodes[element].isRead else {
        return .element(element, array: array, position: position)
      }
      (element, position) = (Int(index.nodes[element].next), position + 1)
    }
    return nil
  }

  /// The error for an unread part, with the keys that were asked for.
  func error(for unread: Unread) -> CodecError {
    switch unread {
    case .key(let key, let object):
      let name = index.string(at: key, in: bytes)
      let asked = askedKeys?[object] ?? []
      return CodecError(
        kind: .unknownKey(name), pointer: pointer(to: key),
        expected: asked.isEmpty ? "no keys" : asked.joined(separator: ", "),
        found: "the key \(CodecError.quoted(name))")
    case .element(_, let array, let position):
      return CodecError(
        kind: .elementCount, pointer: pointer(to: array),
        expected: position == 1 ? "no more than 1 element" : "no more than \(position) elements",
        found: "\(index.count(of: array)), too many elements")
    }
  }
}
