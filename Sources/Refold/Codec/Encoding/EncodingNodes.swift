import JSONTree

/// The nodes of an encoding, and the text that they were encoded to.
///
/// The text is written on the way, punctuation and all. A value of which nothing had to be put in
/// another order, and that was written in one go, lies in it as it should be; mostly that is the
/// whole document. The nodes tell where that is not so.
///
/// A value inside the class that the containers share: each of its methods is one access to the
/// class, however many nodes it touches.
struct EncodingNodes: ~Copyable {
  private(set) var nodes = Growing<EncodingNode>(capacity: 32)
  /// The JSON of all values in the order of their encoding.
  private(set) var text = Growing<UInt8>(capacity: 512)
  /// Whether more text was encoded than 32 bits can place. Such a value could not be read back.
  private(set) var isTooLong = false
  /// Whether there are values that failed, which are not written.
  private(set) var hasFailures = false

  /// The innermost container that the text is in; `none` outside all. It and those around it, each
  /// the parent of the next, are the nodes that are `isOpen`.
  private var innermost = none
  /// The node whose value belongs at the end of the text; `none` where a member or an element does.
  private var awaited = 0
  /// How many containers are open.
  private var depth = 0

  private static let none = -1

  init() { nodes.append(EncodingNode(parent: 0)) }

  /// Nodes of which one value below the root will be picked, and the one for what is not wanted.
  init(pickingWith off: Int) {
    self.init()
    awaited = Self.none
    nodes[0].reach = .way
    nodes.append(EncodingNode(parent: 0))
    nodes[off].reach = .off
  }

  /// Forgets everything but the memory, where that is little.
  mutating func removeAll() {
    nodes.removeAll(keeping: Self.mostKeptNodes)
    text.removeAll(keeping: Self.mostKeptText)
    (isTooLong, hasFailures) = (false, false)
    (innermost, awaited, depth) = (Self.none, 0, 0)
    nodes.append(EncodingNode(parent: 0))
  }

  private static let mostKeptNodes = 4096
  private static let mostKeptText = 65_536
}

extension EncodingNodes {
  /// Adds a node without linking it to anything.
  mutating func addUnlinked(parent: Int) -> Int {
    nodes.append(EncodingNode(parent: parent))
    return nodes.count - 1
  }

  private mutating func link(to parent: Int) -> Int {
    let node = addUnlinked(parent: parent)
    let link = UInt32(truncatingIfNeeded: node)
    let last = Int(nodes[parent].lastChild)
    if last == 0 { nodes[parent].firstChild = link } else { nodes[last].next = link }
    nodes[parent].lastChild = link
    nodes[parent].count &+= 1
    if nodes[parent].isOpen { awaited = node }
    return node
  }

  /// Adds a value to the array at `parent`.
  mutating func addElement(to parent: Int) -> Int {
    enter(parent)
    if nodes[parent].count > 0 { text.append(UInt8(ascii: ",")) }
    return link(to: parent)
  }

  /// The number of elements that are encoded, or begun, in the array at `array`.
  /// - Complexity: O(1) while nothing has failed.
  func count(of array: Int) -> Int {
    guard hasFailures else { return Int(nodes[array].count) }
    var (child, count) = (Int(nodes[array].firstChild), Int(nodes[array].count))
    while child != 0 {
      count -= nodes[child].kind == .failed ? 1 : 0
      child = Int(nodes[child].next)
    }
    return count
  }

  /// Counts elements of the array at `parent` that are not wanted.
  mutating func countElements(_ count: Int, of parent: Int) {
    nodes[parent].count &+= UInt32(truncatingIfNeeded: count)
  }

  /// Adds a member to the object at `parent`.
  mutating func addMember(_ key: String, to parent: Int) -> Int {
    enter(parent)
    if nodes[parent].count > 0 { text.append(UInt8(ascii: ",")) }
    let start = text.count
    let isEscaped = text.append(quoted: key)
    let range = noted(from: start)
    text.append(UInt8(ascii: ":"))
    let former = Int(nodes[parent].lastChild)
    let node = link(to: parent)
    nodes[node].key = range
    nodes[node].hasEscapedKey = isEscaped
    if former != 0, compareKeys(former, node) >= 0 { nodes[parent].isRearranged = true }
    return node
  }

  /// Makes the value at `node` a scalar of what `body` appends to the text.
  /// - Returns: whether nothing had been encoded there.
  @inline(__always)
  mutating func setScalar(at node: Int, _ body: (inout Growing<UInt8>) -> Void) -> Bool {
    guard nodes[node].kind.isOpen else { return false }
    if awaited == node { awaited = Self.none } else { interrupt(for: node) }
    let start = text.count
    body(&text)
    nodes[node].value = noted(from: start)
    nodes[node].kind = .scalar
    // The root, where it is written after a failure, was noted as its own parent.
    nodes[node].isRearranged = false
    return true
  }

  /// Makes the value at `node` an array or an object, unless it is one already.
  /// - Returns: what it is now.
  mutating func open(_ kind: EncodingNode.Kind, at node: Int) -> EncodingNode.Kind {
    guard nodes[node].kind.isOpen else { return nodes[node].kind }
    nodes[node].kind = kind
    if awaited == node {
      begin(kind, at: node)
    } else {
      interrupt(for: node)
      nodes[node].isRearranged = true
    }
    return kind
  }

  /// Takes back whatever was encoded at `node`.
  mutating func fail(_ node: Int) {
    hasFailures = true
    // What is open inside stays so no longer; what follows is not what the text says.
    while nodes[node].isOpen { leave() }
    if awaited != Self.none { awaited = Self.none }
    rearrange(Int(nodes[node].parent))
    nodes[node].kind = .failed
    nodes[node].order = .asEncoded
    nodes[node].isRearranged = false
    (nodes[node].firstChild, nodes[node].lastChild, nodes[node].count) = (0, 0, 0)
  }

  mutating func setNested(_ node: Int) { nodes[node].isNested = true }

  mutating func setReach(_ reach: EncodingNode.Reach, at node: Int) { nodes[node].reach = reach }

  mutating func setOrder(_ order: EncodingNode.Order, at node: Int) { nodes[node].order = order }
}

extension EncodingNodes {
  /// Begins a container at the end of the text.
  private mutating func begin(_ kind: EncodingNode.Kind, at node: Int) {
    nodes[node].isOpen = true
    nodes[node].value.start = UInt32(truncatingIfNeeded: text.count)
    text.append(kind == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    (innermost, awaited) = (node, Self.none)
    depth += 1
    // The writer, which is asked then, says what is wrong.
    if depth > JSONIndex.maximumDepth { nodes[node].isRearranged = true }
  }

  /// Brings the end of the text into the container at `parent`, where that is still possible.
  @inline(__always)
  private mutating func enter(_ parent: Int) {
    if innermost == parent, awaited == Self.none { return }
    enter(anew: parent)
  }

  private mutating func enter(anew parent: Int) {
    if awaited != Self.none {
      // A super encoder that nobody has used yet.
      rearrange(innermost)
      awaited = Self.none
    }
    guard nodes[parent].isOpen else { return interrupt(in: parent) }
    while innermost != parent { end() }
  }

  /// Ends the innermost container.
  private mutating func end() {
    let node = innermost
    text.append(nodes[node].kind == .object ? UInt8(ascii: "}") : UInt8(ascii: "]"))
    nodes[node].value.end = UInt32(truncatingIfNeeded: text.count)
    if nodes[node].mustBeSorted { nodes[node].isRearranged = true }
    let isRearranged = nodes[node].isRearranged
    leave()
    if isRearranged, innermost != Self.none { nodes[innermost].isRearranged = true }
  }

  private mutating func leave() {
    nodes[innermost].isOpen = false
    innermost = innermost == 0 ? Self.none : Int(nodes[innermost].parent)
    depth -= 1
  }

  /// Notes that text for `node`, of which its parent knows nothing, follows in the innermost container.
  private mutating func interrupt(for node: Int) { interrupt(in: Int(nodes[node].parent)) }

  private mutating func interrupt(in parent: Int) {
    rearrange(parent)
    if innermost != Self.none { rearrange(innermost) }
    awaited = Self.none
  }

  /// Notes that neither the container at `node` nor those around it lie in the text as they are.
  private mutating func rearrange(_ node: Int) {
    var node = node
    while true {
      nodes[node].isRearranged = true
      if node == 0 { return }
      node = Int(nodes[node].parent)
    }
  }

  /// Ends what is open, so that every value is either in the text or to be put together.
  mutating func finish() {
    if innermost != Self.none { enter(anew: 0) }
    if innermost == 0 { end() }
  }

  /// The place of the text from `start` on.
  private mutating func noted(from start: Int) -> TextRange {
    guard text.count <= JSONIndex.maximumLength else {
      isTooLong = true
      text.shorten(to: start)
      return TextRange()
    }
    return TextRange(
      start: UInt32(truncatingIfNeeded: start), end: UInt32(truncatingIfNeeded: text.count))
  }
}

extension EncodingNodes {
  /// Less than 0, 0, or more: the order of two members by their keys.
  func compareKeys(_ left: Int, _ right: Int) -> Int {
    nodes.withElements { nodes in
      text.withElements { text in
        nodes[left].compareKey(nodes[right], in: UnsafeRawBufferPointer(text))
      }
    }
  }

  /// The key of the member at `node`.
  func key(of node: Int) -> String {
    let node = nodes[node]
    return text.withElements { text in
      String(decoding: node.unescapedKey(in: UnsafeRawBufferPointer(text)), as: UTF8.self)
    }
  }
}
