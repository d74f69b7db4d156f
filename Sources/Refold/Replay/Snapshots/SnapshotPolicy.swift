/// When snapshots are taken: often enough that a seek folds little, seldom enough that they never
/// take more space than the log.
package enum SnapshotPolicy {
  /// The least events between two snapshots, except for the one that a closing session leaves.
  ///
  /// docs/Store.md says why.
  package static let leastEvents = 2048
  /// What a snapshot takes in a store besides its state: the fold's id, in the row and in the index,
  /// the digest, the pages' share.
  package static let rowBytes = 300
  /// A larger state is not kept: its JSON would take a session's time and memory.
  package static let mostBytes = 8 << 20
}
