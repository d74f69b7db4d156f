import EventStoreCore
import JSONTree

/// Holds a recorded log to today's code: does `mutate` still decide the same, and does `reduce` still
/// give the states that were recorded?
///
/// Is fed the events in order. Of an effect that took time only the first step is asked for: what the
/// outside world answered is in the log. Nothing that takes time is started.
/// - Complexity: the memory of the state, one snapshot and one first step.
package struct LogCheck<R: Reactor> {
  /// How much there was to compare.
  package struct Counts: Sendable {
    package var events = 0
    /// The actions that gave everything at once.
    package var actions = 0
    /// Those whose effects took time.
    package var actionsWithEffects = 0
    /// Those that could not be compared: today's code asked for a secret, which no log tells.
    package var actionsWithSecrets = 0
    package var snapshots = 0
  }

  package private(set) var counts = Counts()
  /// The first decision that is another one today, or event that cannot be read.
  package private(set) var decision: LogDifference?
  /// The first snapshot that has another state than today's fold.
  package private(set) var snapshot: LogDifference?
  /// The last snapshot before that whose state is the same.
  package private(set) var agreeing: (seq: Seq, foldID: String)?
  /// Whether nothing more can be found.
  package private(set) var isOver = false

  private let probe: MutateProbe<R>
  private let codec: EventCodec
  private let cuts: Set<Seq>
  private var fold: Fold<R>
  private var snapshots: ValidSnapshots?
  /// The next one that the fold has not passed; nil behind the last.
  private var awaited: Snapshot?
  private var step: FirstStep<R>?

  /// A check of the log of `session`.
  ///
  /// - Parameters:
  ///   - cuts: where forks begin in it: a first step may end there that did not when it was decided.
  ///   - snapshots: states that were recorded beside it.
  package init(
    _ reactor: R, session: String, codec: EventCodec = EventCodec(), cuts: [Seq] = [],
    snapshots: ValidSnapshots? = nil
  ) throws {
    self.codec = codec
    self.cuts = Set(cuts)
    self.snapshots = snapshots
    probe = MutateProbe(reactor)
    fold = Fold(reactor, session: session)
    awaited = try self.snapshots?.next()
    try compareSnapshots()
  }

  /// The earlier one of what was found.
  package var first: LogDifference? {
    switch (decision, snapshot) {
    case (let decision?, let snapshot?): decision.seq <= snapshot.seq ? decision : snapshot
    case (let found, nil), (nil, let found): found
    }
  }

  /// Goes on by one event.
  package mutating func take(_ header: EventHeader, _ payload: RawSpan) throws {
    if isOver { return }
    if let step, !step.holds(header) { try endStep() }
    var mutation: R.Mutation?
    switch header.kind {
    case .action: begin(header, payload.withUnsafeBytes { Array($0) })
    case .mutation:
      do {
        mutation = try codec.decode(R.Mutation.self, from: payload)
      } catch {
        // Nothing behind it can be folded.
        isOver = true
        return noteUnreadable(header, payload, R.Mutation.self, error)
      }
    case .pending, .completed, .cancelled, .failed: break
    }
    if step != nil, header.kind != .action {
      step?.add(header, payload.withUnsafeBytes { Array($0) }, mutation)
    }
    if step?.isOver == true { try endStep() }
    fold.apply(header, mutation)
    counts.events += 1
    if cuts.contains(header.seq) { try endStep(isCut: true) }
    try compareSnapshots()
    if decision != nil, snapshot != nil { isOver = true }
  }

  /// The log is at its end.
  package mutating func finish() throws {
    if !isOver { try endStep() }
  }

  private mutating func begin(_ header: EventHeader, _ payload: [UInt8]) {
    // In another state than the recorded one, all behind a difference may differ.
    if decision != nil { return }
    let action: R.Action
    do {
      action = try codec.decodeAction(R.Action.self, from: payload)
    } catch {
      return noteUnreadable(header, payload.span.bytes, R.Action.self, error)
    }
    let answer = probe.answer(to: action, at: header.seq, in: fold.state)
    step = FirstStep(
      .init(seq: header.seq, payload: payload), recordedAt: header.recordedAt, answer: answer)
  }

  /// Compares the first step that is over. Of one that a fork may have cut, only what is there counts.
  private mutating func endStep(isCut: Bool = false) throws {
    guard let step = step.take(), decision == nil else { return }
    if step.isPending { counts.actionsWithEffects += 1 } else { counts.actions += 1 }
    if step.answer.lacksSecret { counts.actionsWithSecrets += 1 }
    let difference = try step.difference(codec)
    if isCut, difference?.kind.isOfAMissingEnd ?? false { return }
    decision = difference
  }

  private mutating func noteUnreadable(
    _ header: EventHeader, _ payload: RawSpan, _ type: Any.Type, _ error: any Error
  ) {
    if decision != nil { return }
    decision = LogDifference(
      seq: header.seq, action: nil,
      kind: .unreadable(
        header.kind, type: String(describing: type), reason: "\(error)",
        payload: payload.withUnsafeBytes { Array($0) }))
  }

  private mutating func compareSnapshots() throws {
    while let next = awaited, next.seq <= fold.seq {
      awaited = try snapshots?.next()
      if next.seq < fold.seq || snapshot != nil { continue }
      counts.snapshots += 1
      guard let (recorded, today) = try difference(of: next) else {
        agreeing = (next.seq, next.foldID)
        continue
      }
      snapshot = LogDifference(
        seq: next.seq, action: nil,
        kind: .otherState(recorded: recorded, today: today, foldID: next.foldID))
    }
  }

  /// The states of a snapshot and of the fold, where they differ: compared as today's type reads the
  /// recorded one. Where it cannot, State has changed its shape, and what it has gained since is left
  /// out.
  private func difference(of snapshot: Snapshot) throws -> (JSONValue, JSONValue)? {
    let today = try codec.encode(fold.state)
    if snapshot.state == today { return nil }
    if let state = try? codec.decode(R.State.self, from: snapshot.state) {
      let recorded = try codec.encode(state)
      return recorded == today ? nil : (JSONValue(payload: recorded), JSONValue(payload: today))
    }
    let recorded = JSONValue(payload: snapshot.state)
    let shared = JSONValue(payload: today).restricted(to: recorded)
    return recorded == shared ? nil : (recorded, shared)
  }
}

extension JSONValue {
  /// The value without the members that `other` does not have.
  fileprivate func restricted(to other: JSONValue) -> JSONValue {
    switch (self, other) {
    case (.object(let object), .object(let other)):
      .object(
        JSONObject(
          object.members.compactMap { member in
            other[member.key].map { other in
              JSONObject.Member(key: member.key, value: member.value.restricted(to: other))
            }
          }))
    case (.array(let elements), .array(let others)) where elements.count == others.count:
      .array(zip(elements, others).map { $0.restricted(to: $1) })
    case (_, _): self
    }
  }
}
