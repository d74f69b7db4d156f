import EventStoreCore

/// What a session that closes leaves beside its log: its state, under the id of the code that folded
/// it. By that, later code is seen to fold to the same.
package enum ClosingSnapshot {
  /// A larger state is not kept: writing it would hold the closing back.
  package static let mostBytes = 8 << 20
}

extension Session {
  /// Keeps the durable state, where that is worth its space: as long as a fold id has snapshots of a
  /// session, the events since the newest of them take at least as many bytes as the next one, so
  /// that snapshots never take more than the log.
  ///
  /// Never throws: what goes wrong is reported, and nothing depends on a snapshot.
  func saveClosingSnapshot() async {
    let published = durable.value
    let hasFailed = core.withLock { $0.failure != nil }
    guard !hasFailed, published.version > .zero, let foldID = options.foldID(reactor) else {
      return
    }
    do {
      try await onBlockingQueue { [self] in
        let newest = try store.snapshot(
          of: info.id, atOrBefore: published.version, foldID: foldID)
        if newest?.seq == published.version { return }
        let state = try codec.encode(published.state)
        guard state.count <= ClosingSnapshot.mostBytes,
          try newest.map({ try logHasGrown(by: state.count, after: $0.seq) }) ?? true
        else { return }
        let digest = try store.digest(of: info.id, at: published.version)
        let snapshot = Snapshot(
          seq: published.version, foldID: foldID, logDigest: digest, state: state)
        try store.save(snapshot, of: info.id)
      }
    } catch {
      report(.snapshotFailed(error: error))
    }
  }

  /// Whether the events after `seq` have `bytes` in their payloads; reads no more than that.
  private func logHasGrown(by bytes: Int, after seq: Seq) throws -> Bool {
    var (reached, sum, page) = (seq, 0, EventBatch())
    while sum < bytes {
      try store.read(info.id, after: reached, through: .max, into: &page)
      guard let last = page.headers.last else { return false }
      (reached, sum) = (last.seq, sum + page.byteCount)
    }
    return true
  }
}
