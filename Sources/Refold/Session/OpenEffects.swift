import EventStoreCore

/// An effect that has a pending event and no end yet.
package struct OpenEffect: Sendable {
  /// The action's seq.
  package let cause: Seq
  /// When its effect was logged as going on.
  package let since: Timestamp
  /// The event that said so.
  package let pending: Seq
  /// Whether the process that runs it is alive; else it is interrupted.
  package let isRunning: Bool
}

/// The open effects of recorded sessions.
package enum OpenEffects {
  /// Those of `session`, oldest first.
  package static func of(
    _ session: SessionInfo, in store: any EventStore
  ) throws -> [OpenEffect] {
    var known: Set<Seq> = []
    while true {
      let open = try effects(of: session, in: store)
      let left = open.filter { !$0.isRunning }.map(\.pending)
      // An owner that ended its effect and went after the log was read and before it was looked for is
      // not there either: only what is open still, with its owner gone, was left by it.
      if known.isSuperset(of: left) { return open }
      known = Set(left)
    }
  }

  private static func effects(
    of session: SessionInfo, in store: any EventStore
  ) throws -> [OpenEffect] {
    try store.openEffects(of: session.id).map { event in
      OpenEffect(
        cause: event.header.cause, since: event.header.recordedAt,
        pending: event.header.seq, isRunning: try store.isAlive(PendingPayload.owner(of: event)))
    }
  }
}
