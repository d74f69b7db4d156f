/// What a container of members writes: an object of a tree.
///
/// Of its own, so that a container that is handed out again can be told another object.
final class NodePlace {
  /// Alive as long as anybody can ask: while its encoding runs, and later because of `keptTree`.
  unowned(unsafe) let tree: EncodingTree
  /// Set where the container may outlive the encoding.
  var keptTree: EncodingTree?
  @exclusivity(unchecked) var node: Int

  init(_ tree: EncodingTree, _ node: Int) { (self.tree, self.node) = (tree, node) }
}
