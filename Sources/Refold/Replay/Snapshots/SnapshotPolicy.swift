/// When snapshots are taken: often enough that a seek folds little, seldom enough that they never
/// take more space than the log.
package enum SnapshotPolicy {
  /// The least events between two snapshots, except for the one that a closing session leaves.
  ///
  /// Commits, at whose ends snapshots are taken, have up to 4,096 events, so that two snapshots of a
  /// busy session lie 2,048 to 6,000 events apart. A fold takes about a microsecond an event, so that a
  /// seek takes 1 to 2 ms; and 2,048 events of the counter take 300 times as much space as a snapshot.
  package static let leastEvents = 2048
  /// What a snapshot takes in a store besides its state: the fold's id, in the row and in the index,
  /// the digest, the pages' share.
  package static let rowBytes = 300
  /// A larger state is not kept: its JSON would take a session's time and memory.
  package static let mostBytes = 8 << 20
}
