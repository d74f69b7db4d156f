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

  /// An empty index.
  public init() {}

  /// The most levels of arrays and objects inside one another.
  ///
  /// Whoever walks a value recursively (decoding, comparing, printing) needs stack for each level;
  /// 512 are far more than people write and fit the smallest stack that a thread here has.
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
    package static let escaped = Flags(rawValue: 1)
    /// A number of digits alone, without fraction or exponent.
    package static let integral = Flags(rawValue: 2)
    /// A key that stands in its object again further on: the later one counts.
    package static let shadowed = Flags(rawValue: 4)
    /// An object whose shadowed keys are marked.
    package static let resolved = Flags(rawValue: 8)
    /// For the reader's use: a key or an element that was read.
    package static let read = Flags(rawValue: 16)
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
  /// The bytes of the value.
  package var range: Range<Int> { Range(uncheckedBounds: (Int(start), Int(end))) }

  /// The bytes between a string's quotation marks.
  package var content: Range<Int> { Range(uncheckedBounds: (Int(start) + 1, Int(end) - 1)) }
}

extension JSONIndex {
  /// Marks the node as read.
  package mutating func markRead(_ node: Int) { nodes[node].flags.insert(.read) }

  /// Forgets everything, and frees the memory.
  package mutating func removeAll() { nodes = [] }

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
