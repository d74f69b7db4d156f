import EventStoreCore
import JSONTree
import Refold

/// Goes through a recorded log with today's code, up to the first difference.
struct Replay<R: Reactor> {
  private(set) var comparison = ReplayComparison()
  private let log: RecordedLog
  private let codec = EventCodec()
  private var fold: Fold<R>
  private var snapshots: ArraySlice<Snapshot>
  /// The actions whose effects took time.
  private var withEffects: Set<Seq> = []
  /// The action whose first step is being compared.
  private var step: Step?

  private struct Step {
    let action: Seq
    let payload: [UInt8]
    let answer: MutateProbe<R>.Answer
    var given = 0
    var failureIsRecorded = false
  }

  private struct Difference: Error {
    let seq: Seq
    let message: String
  }

  /// - Throws: `SessionError.otherReactor`.
  init(_ reactor: R, _ log: RecordedLog) throws {
    if log.reactor != R.name {
      throw SessionError.otherReactor(session: log.name, recorded: log.reactor, asked: R.name)
    }
    self.log = log
    fold = Fold(reactor, session: log.name)
    snapshots = log.snapshots[...]
  }

  /// What to tell people of the first difference, nil where there is none.
  mutating func firstDifference() throws -> String? {
    try noteEffects()
    let probe = try MutateProbe(fold.reactor)
    defer { probe.close() }
    do {
      try compareSnapshots()
      try log.forEachEvent { header, payload in try take(header, payload, probe) }
      try endStep()
      return nil
    } catch let difference as Difference {
      return
        "Session \(log.name) differs at event \(difference.seq): \(difference.message)\n"
        + "If that is meant, record the session anew; else today's code is at fault."
    }
  }

  /// Notes which actions' effects took time: they are pending, or give something after their step.
  private mutating func noteEffects() throws {
    var noted: Set<Seq> = []
    var current: Seq?
    try log.forEachEvent { header, _ in
      if header.kind == .action {
        current = header.seq
      } else if header.cause != current || header.kind == .pending {
        if header.cause != .zero { noted.insert(header.cause) }
        current = nil
      }
    }
    withEffects = noted
  }

  private mutating func take(
    _ header: EventHeader, _ payload: RawSpan, _ probe: MutateProbe<R>
  ) throws {
    if step != nil, header.kind == .action || header.cause != step?.action { try endStep() }
    switch header.kind {
    case .action: try begin(header, payload, probe)
    case .mutation: try compare(header, payload)
    case .failed: try compareFailure(header, payload)
    case .pending, .completed, .cancelled: break
    }
    try fold.apply(header, payload)
    comparison.events += 1
    try compareSnapshots()
  }

  private mutating func begin(
    _ header: EventHeader, _ payload: RawSpan, _ probe: MutateProbe<R>
  ) throws {
    if withEffects.contains(header.seq) {
      comparison.actionsWithEffects += 1
      return
    }
    let bytes = payload.withUnsafeBytes { Array($0) }
    let action: R.Action
    do {
      action = try codec.decodeAction(R.Action.self, from: bytes)
    } catch {
      throw unreadable(header, bytes, R.Action.self, error)
    }
    let answer = probe.answer(to: action, payload: bytes, in: fold.state)
    step = Step(action: header.seq, payload: bytes, answer: answer)
    comparison.actions += 1
    if answer.goesOn {
      throw Difference(
        seq: header.seq,
        message: "the effect of this action, \(text(bytes)), gave everything at once. Today it "
          + "takes time, which a replay does not wait for.")
    }
  }

  private mutating func compare(_ header: EventHeader, _ payload: RawSpan) throws {
    let bytes = payload.withUnsafeBytes { Array($0) }
    let recorded: R.Mutation
    do {
      recorded = try codec.decode(R.Mutation.self, from: bytes)
    } catch {
      throw unreadable(header, bytes, R.Mutation.self, error)
    }
    guard let step else { return }
    defer { self.step?.given += 1 }
    guard step.given < step.answer.mutations.count else {
      throw Difference(
        seq: header.seq,
        message: "today's mutate no longer gives this mutation of action \(step.action), "
          + "\(text(step.payload)).\n\n  - \(text(bytes))\n")
    }
    let today = step.answer.mutations[step.given]
    let diff = ValueDiff(
      from: try JSONValue(encoding: recorded), to: try JSONValue(encoding: today))
    if diff.isEmpty { return }
    throw Difference(
      seq: header.seq,
      message: "today's mutate gives another mutation for action \(step.action), "
        + "\(text(step.payload)) (- recorded, + today).\n\n\(diff.text)\n")
  }

  private mutating func compareFailure(_ header: EventHeader, _ payload: RawSpan) throws {
    guard let step else { return }
    self.step?.failureIsRecorded = true
    if step.answer.failure != nil { return }
    throw Difference(
      seq: header.seq,
      message: "the effect of action \(step.action), \(text(step.payload)), failed. Today it does "
        + "not.\n\n  - \(text(payload.withUnsafeBytes { Array($0) }))\n")
  }

  /// The step is over: today's code must not give more than was recorded.
  private mutating func endStep() throws {
    guard let step = step.take() else { return }
    let more = try step.answer.mutations.dropFirst(step.given)
      .map { "  + \(text(try codec.encode($0)))\n" }
    if !more.isEmpty {
      throw Difference(
        seq: step.action,
        message: "today's mutate gives more for this action, \(text(step.payload)), than was "
          + "recorded.\n\n\(more.joined())")
    }
    if let failure = step.answer.failure, !step.failureIsRecorded {
      throw Difference(
        seq: step.action,
        message: "today the effect of this action, \(text(step.payload)), fails: \(failure).")
    }
  }

  private mutating func compareSnapshots() throws {
    while let snapshot = snapshots.first, snapshot.seq <= fold.seq {
      snapshots.removeFirst()
      if snapshot.seq < fold.seq { continue }
      comparison.snapshots += 1
      let recorded = (try? codec.decode(R.State.self, from: snapshot.state))
        .flatMap { try? JSONValue(encoding: $0) }
      let diff = ValueDiff(
        from: recorded ?? JSONValue(payload: snapshot.state),
        to: try JSONValue(encoding: fold.state))
      if diff.isEmpty { continue }
      throw Difference(
        seq: snapshot.seq,
        message: "today's reduce gives another state than the snapshot recorded there has "
          + "(- recorded, + today).\n\n\(diff.text)\n")
    }
  }

  private func unreadable(
    _ header: EventHeader, _ payload: [UInt8], _ type: Any.Type, _ error: any Error
  ) -> Difference {
    Difference(
      seq: header.seq,
      message: "this \(header.kind.name) cannot be read as \(String(describing: type)): \(error)."
        + "\n\n  - \(text(payload))\n")
  }

  private func text(_ payload: [UInt8]) -> String {
    let text = String(decoding: payload, as: UTF8.self)
    return text.count > 240 ? text.prefix(240) + "…" : text
  }
}
