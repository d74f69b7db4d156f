import EventStoreCore
import JSONTree

/// The first step of an action as it was recorded, beside what today's `mutate` answers.
///
/// A first step is what stands behind its action without a gap, under its cause and recorded at its
/// moment, up to the pending event that ends it where an effect goes on.
struct FirstStep<R: Reactor> {
  let action: LogDifference.Action
  let recordedAt: Timestamp
  let answer: MutateProbe<R>.Answer
  private(set) var mutations: [(seq: Seq, payload: [UInt8], value: R.Mutation?)] = []
  private(set) var failure: (seq: Seq, payload: [UInt8])?
  /// The payload of the pending event that says that its effect goes on.
  private(set) var pending: [UInt8]?

  init(
    _ action: LogDifference.Action, recordedAt: Timestamp, answer: MutateProbe<R>.Answer
  ) {
    self.action = action
    self.recordedAt = recordedAt
    self.answer = answer
  }

  /// Whether its effect goes on.
  var isPending: Bool { pending != nil }

  /// Whether nothing more can belong to it. Of an action that a transform makes several of, the parts
  /// behind the first one that goes on stand behind the pending event.
  var isOver: Bool { isPending && !answer.isSplit }

  /// Whether the event `header` still belongs to it.
  func holds(_ header: EventHeader) -> Bool {
    header.kind != .action && header.cause == action.seq && header.recordedAt == recordedAt
      && !isOver
  }

  mutating func add(_ header: EventHeader, _ payload: [UInt8], _ mutation: R.Mutation?) {
    switch header.kind {
    case .mutation: mutations.append((header.seq, payload, mutation))
    case .failed: failure = (header.seq, payload)
    case .pending: pending = payload
    case .action, .completed, .cancelled: break
    }
  }

  /// Where the two differ first, nil where they do not.
  func difference(_ codec: EventCodec) throws -> LogDifference? {
    if answer.goesOn != isPending, !answer.lacksSecret {
      return LogDifference(
        seq: action.seq, action: action, kind: isPending ? .takesNoTime : .takesTime)
    }
    if answer.lacksSecret { return nil }
    if let difference = try mutationDifference(codec) { return difference }
    if let failure, answer.failure == nil {
      return LogDifference(
        seq: failure.seq, action: action, kind: .failureGone(payload: failure.payload))
    }
    if let error = answer.failure, failure == nil, !isPending {
      return LogDifference(seq: action.seq, action: action, kind: .failure("\(error)"))
    }
    return nil
  }

  /// Whether today's mutations are others.
  func mutationsDiffer(_ codec: EventCodec) throws -> Bool {
    try mutationDifference(codec) != nil
  }

  private func mutationDifference(_ codec: EventCodec) throws -> LogDifference? {
    for (index, recorded) in mutations.enumerated() {
      guard index < answer.mutations.count else {
        if isPending, answer.isSplit { return nil }
        return LogDifference(
          seq: recorded.seq, action: action, kind: .mutationGone(payload: recorded.payload))
      }
      let today = try codec.encode(answer.mutations[index])
      if today == recorded.payload { continue }
      // Other bytes may be the same value as today's type reads it.
      let then = try recorded.value.map { try codec.encode($0) } ?? recorded.payload
      if today == then { continue }
      return LogDifference(
        seq: recorded.seq, action: action,
        kind: .otherMutation(recorded: JSONValue(payload: then), today: JSONValue(payload: today)))
    }
    // Of an action that a transform makes several of, nothing tells the mutations of a part behind the
    // pending event from later ones.
    let more = answer.mutations.dropFirst(mutations.count)
    if more.isEmpty || isPending && answer.isSplit { return nil }
    return LogDifference(
      seq: action.seq, action: action, kind: .moreMutations(try more.map { try codec.encode($0) }))
  }
}
