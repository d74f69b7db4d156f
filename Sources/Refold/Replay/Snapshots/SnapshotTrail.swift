import EventStoreCore

/// Folds a session to its end, and leaves snapshots on the way where the log is long and has none:
/// one of another build, or one that was imported.
///
///     var trail = SnapshotTrail(SnapshotShelf(reactor, info, in: store))
///     try trail.takeSnapshots()
///     trail.save()
package struct SnapshotTrail<R: Reactor> {
  /// As far as the log was folded.
  package private(set) var fold: Fold<R>
  private(set) var pace: SnapshotPace
  /// Taken, and not saved yet.
  private(set) var taken: [Snapshot] = []
  /// Why some were not saved. Nothing depends on them.
  private(set) var failure: (any Error)?
  private let shelf: SnapshotShelf<R>
  private let codec: EventCodec

  /// So many events are folded before the end of a commit is looked for again.
  private var stride: Int { max(1, shelf.leastEvents / 4) }
  /// Snapshots are saved so many at a time, because each time waits for the disk.
  private static var mostUnsaved: (count: Int, bytes: Int) { (64, 1 << 20) }

  /// At the newest snapshot of `shelf`.
  package init(_ shelf: SnapshotShelf<R>, codec: EventCodec = EventCodec()) {
    let start = shelf.fold(atOrBefore: .max)
    fold = start ?? shelf.start
    pace = SnapshotPace(newest: start?.seq, leastEvents: shelf.leastEvents)
    self.shelf = shelf
    self.codec = codec
  }

  /// Folds what the log has, and takes snapshots of it.
  ///
  /// - Throws: `SessionError.undecodable`; `EventStoreError`.
  /// - Complexity: O(k) for the k events since the newest snapshot.
  mutating func follow() throws {
    try takeSnapshots()
    try advance(through: .max)
  }

  /// Folds the log as far as snapshots are to be taken, and takes them. A short log is not folded.
  ///
  /// - Parameter visit: told how many events were folded, now and then.
  /// - Throws: `SessionError.undecodable`; `EventStoreError`; what `visit` throws.
  /// - Complexity: O(k) for the k events since the newest snapshot.
  package mutating func takeSnapshots(_ visit: (Int) throws -> Void = { _ in }) throws {
    while failure == nil, let foldID = shelf.foldID, let commit = try nextCommit() {
      let before = fold.seq
      try advance(through: commit.lastSeq)
      guard fold.seq == commit.lastSeq else { return }
      if pace.isDue(at: fold.seq) { take(commit.digest, foldID) }
      try visit(before.distance(to: fold.seq))
    }
  }

  /// Saves what was taken.
  package mutating func save() {
    guard !taken.isEmpty else { return }
    do {
      try shelf.store.transaction { transaction in
        for snapshot in taken { try transaction.save(snapshot, of: shelf.info.id) }
      }
    } catch {
      failure = error
    }
    taken = []
  }

  /// Saves what was taken, unless it is a single one, which may as well go along with a commit.
  mutating func saveMany() { if taken.count > 1 { save() } }

  /// The next one at whose end a snapshot may be due: there the log's digest is at hand.
  private func nextCommit() throws -> Commit? {
    guard let next = pace.next, let near = fold.seq.advanced(by: stride) else { return nil }
    return try shelf.store.commits(
      of: shelf.info.id, after: max(next, near).previous, limit: 1
    ).first
  }

  private mutating func advance(through last: Seq) throws {
    try shelf.store.forEachEvent(of: shelf.info.id, after: fold.seq, through: last) {
      try fold.apply($0, $1)
      pace.add($1.byteCount)
    }
  }

  private mutating func take(_ digest: Digest, _ foldID: String) {
    guard let state = try? codec.encode(fold.state) else { return pace.failed(at: fold.seq) }
    guard SnapshotPace.allows(state.count, for: pace.bytes) else {
      return pace.refused(size: state.count)
    }
    guard StateFidelity.holds(fold.state, as: state, codec) else {
      return pace.failed(at: fold.seq)
    }
    taken.append(Snapshot(seq: fold.seq, foldID: foldID, logDigest: digest, state: state))
    pace.took(at: fold.seq, size: state.count, bytes: pace.bytes)
    let most = Self.mostUnsaved
    if taken.count >= most.count || taken.map(\.state.count).reduce(0, +) >= most.bytes { save() }
  }
}
