/// How much `EventStore.read` gives at a time: large enough that a page costs next to nothing a
/// event, small enough that a reader's memory stays small.
public enum PageLimits {
  /// A page with this many events is full.
  public static let events = 1024
  /// A page with this many payload bytes is full; the event that reaches it is still in it.
  public static let bytes = 256 << 10
}

/// How forks may follow one another.
public enum ForkLimits {
  /// A fork of a fork has two; no session has more. To follow them costs a look-up each, and a file of
  /// somebody else's making could have a million.
  public static let generations = 500
}

/// How many snapshots a store keeps.
public enum SnapshotLimits {
  /// Saving a snapshot of a session keeps this many of those that other folds left there, those
  /// saved last. Snapshots of the same fold are all kept.
  public static let ofOtherFolds = 8
}
