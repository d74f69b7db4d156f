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
    // An owner that is gone may have ended its effects after they were read: they count as interrupted
    // when they are still open in a reading that began after its end.
    var gone: Set<UInt64> = []
    while true {
      let known = gone
      let effects = try store.openEffects(of: session.id).map { event in
        let owner = PendingPayload.owner(of: event)
        let isRunning = try !known.contains(owner) && store.isAlive(owner)
        if !isRunning { gone.insert(owner) }
        return OpenEffect(
          cause: event.header.cause, since: event.header.recordedAt, pending: event.header.seq,
          isRunning: isRunning)
      }
      if gone == known { return effects }
    }
  }
}
