import EventStoreCore

extension EventStore {
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
      snapshots: ValidSnapshots(of: info.id, in: store))
    try store.forEachEvent(of: info.id) { header, payload in
      try check.take(header, payload)
      try visit()
    }
    try check.finish()
    return check
  }
}
