import JSONTree

/// A value that is, or will be, encoded. Nodes refer to one another by their place in the array,
/// where 0, the root, which is nobody's child, stands for none.
struct EncodingNode {
  enum Kind: UInt8 {
    /// Nothing has been encoded yet.
    case nothing
    case scalar
    case array
    case object
    /// Encoding failed here. A type that lives with that leaves the value out, or tries another.
    case failed

    /// Whether a value can still be encoded.
    var isOpen: Bool { self == .nothing || self == .failed }
  }

  /// In which order an array's elements are written.
  enum Order: UInt8 {
    case asEncoded
    /// A Set's: sorted by their bytes.
    case elements
    /// A Dictionary's: pairs of key and value, sorted by their bytes.
    case pairs
  }

  /// How much of a value is wanted, where one value of the whole is picked.
  enum Reach: UInt8 {
    /// All of it.
    case whole
    /// What leads to the picked value, and nothing beside.
    case way
    /// Nothing.
    case off
  }

  var kind = Kind.nothing
  var reach = Reach.whole
  var order = Order.asEncoded
  /// Whether the container was asked for as a nested one, and is shared by all who ask.
  var isNested = false
  /// The key in `text`, for a member of an object.
  var key: Range<UInt32> = 0..<0
  /// The JSON in `text`, for a scalar.
  var scalar: Range<UInt32> = 0..<0
  let parent: UInt32
  var next: UInt32 = 0
  var firstChild: UInt32 = 0
  var lastChild: UInt32 = 0
  var count: UInt32 = 0

  init(parent: Int) { self.parent = UInt32(truncatingIfNeeded: parent) }
}

/// The nodes of an encoding, and the bytes of their keys and scalars.
///
/// A value inside the class that the containers share: each of its methods is one access to the
/// class, however many nodes it touches.
struct EncodingNodes {
  private(set) var nodes: [EncodingNode] = []
  /// The JSON of scalars, and the UTF-8 of keys without escapes.
  private(set) var text: [UInt8] = []
  /// Whether more text was encoded than 32 bits can place. Such a value could not be read back.
  private(set) var isTooLong = false
  /// Whether there are values that failed, which are not written.
  private(set) var hasFailures = false

  init() {
    nodes.reserveCapacity(8)
    text.reserveCapacity(64)
    nodes.append(EncodingNode(parent: 0))
  }

  /// Nodes of which one value below the root will be picked, and the one for what is not wanted.
  init(pickingWith off: Int) {
    self.init()
    nodes[0].reach = .way
    nodes.append(EncodingNode(parent: 0))
    nodes[off].reach = .off
  }
}

extension EncodingNodes {
  /// Adds a node without linking it to anything.
  mutating func addUnlinked(parent: Int) -> Int {
    nodes.append(EncodingNode(parent: parent))
    return nodes.count - 1
  }

  /// Adds a value to the array at `parent`.
  mutating func addElement(to parent: Int) -> Int {
    let node = addUnlinked(parent: parent)
    let link = UInt32(truncatingIfNeeded: node)
    let last = Int(nodes[parent].lastChild)
    if last == 0 { nodes[parent].firstChild = link } else { nodes[last].next = link }
    nodes[parent].lastChild = link
    nodes[parent].count &+= 1
    return node
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

  /// Counts an element of the array at `parent` that is not wanted.
  mutating func countElement(of parent: Int) { nodes[parent].count &+= 1 }

  /// Adds a member to the object at `parent`.
  mutating func addMember(_ key: String, to parent: Int) -> Int {
    let node = addElement(to: parent)
    let start = text.count
    var key = key
    key.withUTF8 { text.append(contentsOf: $0) }
    nodes[node].key = noted(from: start)
    return node
  }

  /// Makes the value at `node` a scalar of what `body` appends to the bytes it is given.
  /// - Returns: whether nothing had been encoded there.
  @inline(__always)
  mutating func setScalar(at node: Int, _ body: (inout [UInt8]) -> Void) -> Bool {
    guard nodes[node].kind.isOpen else { return false }
    let start = text.count
    body(&text)
    nodes[node].scalar = noted(from: start)
    nodes[node].kind = .scalar
    return true
  }

  /// Makes the value at `node` an array or an object, unless it is one already.
  /// - Returns: what it is now.
  mutating func open(_ kind: EncodingNode.Kind, at node: Int) -> EncodingNode.Kind {
    if nodes[node].kind.isOpen { nodes[node].kind = kind }
    return nodes[node].kind
  }

  /// Takes back whatever was encoded at `node`.
  mutating func fail(_ node: Int) {
    hasFailures = true
    nodes[node].kind = .failed
    nodes[node].order = .asEncoded
    (nodes[node].firstChild, nodes[node].lastChild, nodes[node].count) = (0, 0, 0)
  }

  mutating func setNested(_ node: Int) { nodes[node].isNested = true }

  mutating func setReach(_ reach: EncodingNode.Reach, at node: Int) { nodes[node].reach = reach }

  mutating func setOrder(_ order: EncodingNode.Order, at node: Int) { nodes[node].order = order }

  /// The place of the text from `start` on.
  private mutating func noted(from start: Int) -> Range<UInt32> {
    guard text.count <= JSONIndex.maximumLength else {
      isTooLong = true
      text.removeSubrange(start...)
      return 0..<0
    }
    return Range(
      uncheckedBounds: (UInt32(truncatingIfNeeded: start), UInt32(truncatingIfNeeded: text.count)))
  }
}
