import JSONTree

/// One line of a tree: a value, or a range of the elements of a long array or object.
struct TreeLine: Sendable {
  /// What the line stands for.
  enum Content: Sendable, Equatable {
    /// The value at a node.
    case value
    /// So many children of the container at the node, from one on.
    case range(Range<Int>)
  }

  /// The node of the value, or of the container that a range is of.
  let node: Int
  /// The node of the member's key, where the value is one's.
  let key: Int?
  /// The place among the container's children.
  let place: Int
  let depth: Int
  let content: Content
  /// Where the value lies.
  let pointer: String
  /// What tells this line from every other, in this tree and in those of other positions.
  let id: String
  let canOpen: Bool
  let isOpen: Bool
}
