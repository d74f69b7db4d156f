/// A cached State at a seq: derived, disposable, never truth.
public struct Snapshot: Hashable, Sendable {
  /// The last event folded into `state`.
  public var seq: Seq
  /// Which code folded it: a snapshot of other code is never used.
  public var foldID: String
  /// The digest of the log up to `seq`.
  public var logDigest: Digest
  /// The State as JSON.
  public var state: [UInt8]

  /// A snapshot of these parts.
  public init(seq: Seq, foldID: String, logDigest: Digest, state: [UInt8]) {
    self.seq = seq
    self.foldID = foldID
    self.logDigest = logDigest
    self.state = state
  }
}

extension Snapshot {
  /// Where it stands among the snapshots of its session.
  public var place: SnapshotPlace { SnapshotPlace(seq: seq, foldID: foldID) }
}

/// What tells the snapshots of one session apart: there is one of a seq and a fold. Ordered by seq,
/// those of one seq by the bytes of the fold's id.
public struct SnapshotPlace: Sendable {
  /// The last event folded into the snapshot's state.
  public var seq: Seq
  /// Which code folded it.
  public var foldID: String

  /// The place of the snapshot that `foldID` has at `seq`.
  public init(seq: Seq, foldID: String) {
    self.seq = seq
    self.foldID = foldID
  }
}

extension SnapshotPlace: Hashable, Comparable {
  /// Whether the seqs and the bytes of the folds' ids are the same.
  public static func == (left: SnapshotPlace, right: SnapshotPlace) -> Bool {
    left.seq == right.seq && left.foldID.utf8.elementsEqual(right.foldID.utf8)
  }

  /// Orders by seq, then by the bytes of the fold's id.
  public static func < (left: SnapshotPlace, right: SnapshotPlace) -> Bool {
    left.seq == right.seq
      ? left.foldID.utf8.lexicographicallyPrecedes(right.foldID.utf8) : left.seq < right.seq
  }

  /// Hashes the seq and the bytes of the fold's id.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(seq)
    for byte in foldID.utf8 { hasher.combine(byte) }
  }
}
