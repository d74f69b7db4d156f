import EventStoreCore

/// The state of a recorded session at any position, by folding its log.
///
///     let past = try TimeMachine(CounterReactor(), session: "s1", in: store).state(at: 1)
///
/// Replay folds mutations only: it never asks `mutate`, starts an effect, or touches the clock or
/// the network. All calls block on the store.
public struct TimeMachine<R: Reactor>: Sendable {
  /// Name, reactor, creation and parent of the session.
  public let info: SessionInfo
  private let store: any EventStore
  private let shelf: SnapshotShelf<R>

  /// A time machine for the session called `name`.
  ///
  /// - Throws: `SessionError.noSuchSession`; `.otherReactor` where another reactor recorded it;
  ///   `EventStoreError`.
  public init(_ reactor: R, session name: String, in store: any EventStore) throws {
    guard let info = try store.session(named: SessionName(name)) else {
      throw SessionError.noSuchSession(name)
    }
    if info.reactor != R.name {
      throw SessionError.otherReactor(session: name, recorded: info.reactor, asked: R.name)
    }
    self.init(reactor, info, in: store)
  }

  /// - Parameter foldID: under which id snapshots are kept; nil to use none.
  package init(
    _ reactor: R, _ info: SessionInfo, in store: any EventStore,
    foldID: @Sendable (any Reactor) -> String? = { FoldID.of($0) }
  ) {
    self.info = info
    self.store = store
    shelf = SnapshotShelf(reactor, info, in: store, foldID: foldID)
  }

  /// The session's last seq.
  public var lastSeq: Seq {
    get throws { try store.tail(of: info.id).version }
  }

  /// The state after the event `seq`; at `Seq.zero` the initial one.
  ///
  /// - Throws: `SessionError.beyondEnd`; `.undecodable` where today's code cannot read an event.
  /// - Complexity: O(log n) for n events, and O(k) for the k events since the newest snapshot before
  ///   `seq`: some 2,000 to 6,000 where the state is small.
  public func state(at seq: Seq) throws -> R.State { try fold(through: seq).state }

  /// The state after the last event recorded at or before `time`.
  ///
  /// - Throws: as `state(at: Seq)`.
  /// - Complexity: as `state(at: Seq)`, and O(log n) to find the event.
  public func state(at time: Timestamp) throws -> R.State {
    try state(at: try store.seq(of: info.id, at: time))
  }

  /// The fold up to and including `seq`.
  package func fold(through seq: Seq) throws -> Fold<R> {
    let last = try lastSeq
    guard seq <= last else {
      throw SessionError.beyondEnd(session: info.name.rawValue, asked: "seq \(seq)", last: last)
    }
    return try shelf.fold(through: seq)
  }

  /// Lends each event of `range` together with the fold after it, oldest first.
  ///
  /// - Throws: as `state(at:)`, and what `body` throws.
  /// - Complexity: O(k) for the k events of `range`, and as `state(at:)` for what lies before, in the
  ///   memory of one state.
  package func forEachStep(
    in range: ClosedRange<Seq>,
    _ body: (EventHeader, RawSpan, Fold<R>) throws -> Void
  ) throws {
    var fold = try fold(through: range.lowerBound.previous)
    try store.forEachEvent(of: info.id, after: fold.seq, through: range.upperBound) {
      header, payload in
      try fold.apply(header, payload)
      try body(header, payload, fold)
    }
  }
}
