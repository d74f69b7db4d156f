import EventStoreCore

extension EventStore {
  /// The snapshots of `session` that were taken of the log as it is, oldest first: one that was taken
  /// of another past says nothing.
  package func validSnapshots(of session: SessionID) throws -> [Snapshot] {
    try snapshots(of: session).filter { try digest(of: session, at: $0.seq) == $0.logDigest }
  }

  /// Where forks begin in the log of `session`: its own cut, and those of its ancestors below that.
  package func cuts(of session: SessionInfo) throws -> [Seq] {
    guard session.parent != nil else { return [] }
    return try sessions().verified(session.id).compactMap { $0.parent?.seq }
  }
}

extension LogCheck {
  /// Holds the whole log of the session `info` in `store` to today's code.
  ///
  /// - Parameter visit: called after each event.
  /// - Throws: `EventStoreError`.
  /// - Complexity: O(n) for n events.
  package static func check(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore, codec: EventCodec = EventCodec(),
    _ visit: () throws -> Void = {}
  ) throws -> LogCheck {
    var check = try LogCheck(
      reactor, session: info.name.rawValue, codec: codec, cuts: try store.cuts(of: info),
      snapshots: try store.validSnapshots(of: info.id))
    try store.forEachEvent(of: info.id) { header, payload in
      try check.take(header, payload)
      try visit()
    }
    try check.finish()
    return check
  }
}
