import EventStoreCore

/// A state and the events folded into it so far: what live sessions, replay and tools share, so
/// that there is one meaning of "the state at a seq".
package struct Fold<R: Reactor>: Sendable {
  package let session: String
  /// The last event folded in.
  package private(set) var seq: Seq
  /// When it was recorded, nil before the first event.
  package private(set) var recordedAt: Timestamp?
  private let codec = EventCodec()
  // Last, so that the places of the others do not depend on the reactor.
  package let reactor: R
  /// The state at `seq`.
  package private(set) var state: R.State

  /// The initial state, at seq 0.
  package init(_ reactor: R, session: String) {
    self.reactor = reactor
    self.session = session
    self.state = reactor.initialState
    self.seq = .zero
  }

  package init(_ reactor: R, session: String, state: R.State, seq: Seq, recordedAt: Timestamp?) {
    self.reactor = reactor
    self.session = session
    self.state = state
    self.seq = seq
    self.recordedAt = recordedAt
  }

  /// Folds in the next event.
  /// - Throws: `SessionError.undecodable` for a mutation that today's code cannot read.
  package mutating func apply(_ header: EventHeader, _ payload: RawSpan) throws {
    if header.kind == .mutation {
      do {
        try reactor._fold(payload, codec, state: &state)
      } catch {
        throw undecodable(header, error)
      }
    }
    seq = header.seq
    recordedAt = header.recordedAt
  }

  /// Folds in the next event, which is `mutation` where it is one.
  package mutating func apply(_ header: EventHeader, _ mutation: R.Mutation?) {
    if let mutation { reactor.reduce(state: &state, mutation: mutation) }
    seq = header.seq
    recordedAt = header.recordedAt
  }

  /// Folds in the events of `store` up to and including `last`.
  /// - Complexity: O(k) for k events.
  package mutating func advance(
    through last: Seq, of session: SessionID, in store: any EventStore
  ) throws {
    try store.forEachEvent(of: session, after: seq, through: last, payloads: .mutations) {
      try apply($0, $1)
    }
  }

  /// Folds in the events that `transaction` sees up to its end.
  package mutating func advance(
    of session: SessionID, in transaction: any EventStoreTransaction,
    _ visit: (EventHeader) -> Void = { _ in }
  ) throws {
    var page = EventBatch()
    while true {
      try transaction.read(session, after: seq, through: .max, into: &page)
      if page.isEmpty { return }
      try page.visit { header, payload in
        try apply(header, payload)
        visit(header)
      }
    }
  }

  /// The mutation that an event is.
  /// - Throws: `SessionError.undecodable`.
  package func mutation(_ header: EventHeader, _ payload: RawSpan) throws -> R.Mutation {
    do {
      return try codec.decode(R.Mutation.self, from: payload)
    } catch {
      throw undecodable(header, error)
    }
  }

  private func undecodable(_ header: EventHeader, _ error: CodecError) -> SessionError {
    .undecodable(
      session: session, seq: header.seq, kind: header.kind,
      type: String(describing: R.Mutation.self), reason: "\(error)")
  }
}
