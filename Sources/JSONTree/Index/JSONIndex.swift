/// The flat index of one JSON text: its values in the order of the text, each a small node that
/// says where the value's bytes lie and which node follows its subtree.
///
/// Parsing fills the index and proves the whole text against RFC 8259, so that whoever walks the
/// nodes need not check anything again. The index does not hold the text: hand the same bytes to
/// whatever reads strings and numbers. Reuse one index for many texts and it stops allocating.
/// Walking the nodes is for this package's own targets; to others, parsing is a check of a text.
///
///     var index = JSONIndex()
///     try index.parse(line.span.bytes)
///     index.nodes[0].kind                       // the document's own value
///
/// The members of an object follow its node as key, value, key, value; a key is a string node.
public struct JSONIndex: Sendable {
  /// The nodes in the order of the text, the document's value first. Empty before a first parse
  /// and after one that failed.
  package internal(set) var nodes: [JSONNode] = []
  /// How many of them are keys.
  var keyCount = 0
  /// Whether an object has more than one member.
  var hasSeveralMembers = false

  /// An empty index.
  public init() {}

  /// The most levels of arrays and objects inside one another.
  ///
  /// Whoever walks a value recursively (decoding, comparing, printing) needs stack for each level;
  /// 512 are far more than people write, and need less than 768 KiB of it, where code is optimised.
  public static let maximumDepth = 512

  /// The longest text that a node's 32-bit offsets can address, in bytes.
  public static let maximumLength = Int(UInt32.max) - 1
}

/// One value, or one key, of a JSON text.
package struct JSONNode: Sendable {
  /// What the node is. A key is a `string`.
  package enum Kind: UInt8, Sendable {
    case null
    case `false`
    case `true`
    case number
    case string
    case array
    case object
  }

  /// What is known of a node beyond its place.
  package struct Flags: OptionSet, Sendable {
    /// The bits.
    package var rawValue: UInt8
    /// Wraps the bits.
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// A string with at least one backslash.
    package static var escaped: Flags { Flags(rawValue: 1) }
    /// A number of digits alone, without fraction or exponent.
    package static var integral: Flags { Flags(rawValue: 2) }
    /// A key that stands in its object again further on: the later one counts.
    package static var shadowed: Flags { Flags(rawValue: 4) }
    /// An object whose shadowed keys are marked.
    package static var resolved: Flags { Flags(rawValue: 8) }
    /// For the reader's use: a key or an element that was read.
    package static var read: Flags { Flags(rawValue: 16) }
  }

  /// The first byte of the value. A string starts at its opening quotation mark.
  package let start: UInt32
  /// The byte after the value. A string ends after its closing quotation mark.
  package internal(set) var end: UInt32
  /// The node after this node and everything in it.
  package internal(set) var next: UInt32
  /// For an object: the key that was found last, where the next search begins.
  var hint: UInt32 = 0
  /// What the node is.
  package let kind: Kind
  /// What is known of it.
  package var flags: Flags = []
}

extension JSONNode {
  // Bits by hand: through the option set's protocols, asking for one costs as much as finding a key.

  /// Whether this is a string with at least one backslash.
  @inlinable package var isEscaped: Bool { flags.rawValue & 1 != 0 }
  /// Whether this is a number of digits alone.
  @inlinable package var isIntegral: Bool { flags.rawValue & 2 != 0 }
  /// Whether this is a key that stands in its object again further on.
  @inlinable package var isShadowed: Bool { flags.rawValue & 4 != 0 }
  /// Whether this is a key or an element that was read.
  @inlinable package var isRead: Bool { flags.rawValue & 16 != 0 }

  /// The bytes of the value.
  @inlinable package var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }

  /// The bytes between a string's quotation marks.
  @inlinable package var content: Range<Int> {
    Range(uncheckedBounds: (Int(start) + 1, Int(end) - 1))
  }
}

extension JSONIndex {
  /// Marks the node as read.
  /// - Returns: whether it was not yet.
  package mutating func markRead(_ node: Int) -> Bool {
    if nodes[node].isRead { return false }
    nodes[node].flags.rawValue |= JSONNode.Flags.read.rawValue
    return true
  }

  /// Makes every node a null without anything in it, for whoever still walks them when the text is
  /// gone.
  /// - Complexity: O(n) in the nodes.
  package mutating func blank() {
    nodes = nodes.indices.map { node in
      JSONNode(start: 0, end: 0, next: UInt32(truncatingIfNeeded: node + 1), kind: .null)
    }
  }

  /// Forgets everything where that takes much memory, so that an index that is used again and again
  /// does not hold that of its longest text.
  package mutating func removeIfLarge() {
    if nodes.capacity > Self.mostKeptNodes { nodes = [] }
  }

  /// 80 KB.
  private static let mostKeptNodes = 4096

  /// The number of keys and elements.
  package var partCount: Int { nodes.count - 1 - keyCount }

  /// The number of elements of an array, or of members of an object.
  /// - Complexity: O(n) in them.
  package func count(of container: Int) -> Int {
    let isObject = nodes[container].kind == .object
    let end = Int(nodes[container].next)
    var (node, count) = (container + 1, 0)
    while node < end {
      node = Int(nodes[isObject ? node + 1 : node].next)
      count += 1
    }
    return count
  }
}
