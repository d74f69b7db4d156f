import EventStoreCore

/// Carries out a `WhatIf.Plan`: goes through the events of the old log and writes a new one.
///
/// An action is decided again, in the state of the new log, and what it gives at once is logged as it
/// is decided now. Nothing that takes time is started: what an effect gave later is taken from the old
/// log, as are mutations from outside any action, each at its old place among the others and with its
/// old time.
/// - Complexity: O(n) for n events; the memory of two states, a commit, the open effects and the
///   differences' places.
package struct WhatIfRun<R: Reactor> {
  private let reactor: R
  private let parent: SessionInfo
  private let store: any EventStore
  private let plan: WhatIf.Plan
  private let codec: EventCodec
  private let report: (WhatIf.Difference) throws -> Void
  private let probe: MutateProbe<R>
  private var replacements: [Seq: (action: R.Action, payload: [UInt8])] = [:]

  private var state: R.State
  private var writer: ForkWriter
  private var places = Renumbering()
  /// The effects that go on in the new log, by the action's seq in the old one.
  private var open: [Seq: Seq] = [:]
  /// The effects that go on in the old log and not in the new one.
  private var gone: Set<Seq> = []
  /// The actions that are not in the new log.
  private var leftOut: Set<Seq> = []
  /// The action whose first step is being gone through in the old log.
  private var step: Step?
  private var counts = (sent: 0, differences: 0)

  private struct Step {
    var recorded: FirstStep<R>
    let new: Seq
    /// What it gives now.
    let mutations: [[UInt8]]
    let failure: [UInt8]?
    let isReplaced: Bool
  }

  /// Makes ready, and folds the shared past. Nothing is written yet.
  ///
  /// - Parameters:
  ///   - name: the new session's; nil for `PARENT-fork-N`.
  ///   - report: called for each difference, in the order of the old log.
  /// - Throws: `WhatIf.Failure`; `SessionError.undecodable` in the shared past;
  ///   `EventStoreError.sessionExists`.
  package init(
    _ reactor: R, _ parent: SessionInfo, _ plan: WhatIf.Plan, named name: SessionName?,
    in store: any EventStore, codec: EventCodec = EventCodec(),
    report: @escaping (WhatIf.Difference) throws -> Void
  ) throws {
    self.reactor = reactor
    self.parent = parent
    self.store = store
    self.plan = plan
    self.codec = codec
    self.report = report
    probe = MutateProbe(reactor)
    var fold = Fold(reactor, session: parent.name.rawValue)
    var open: [Seq: Seq] = [:]
    try store.forEachEvent(of: parent.id, through: plan.at) { header, payload in
      try fold.apply(header, payload)
      if header.kind == .pending { open[header.cause] = header.cause }
      if header.kind.endsEffect { open[header.cause] = nil }
    }
    self.open = open
    state = fold.state
    writer = try ForkWriter(
      parent, at: plan.at, recordedAt: fold.recordedAt, named: name,
      schemaVersion: R.schemaVersion, in: store)
    for (seq, change) in plan.changes.sorted(by: { $0.key < $1.key }) {
      try prepare(change, of: seq)
    }
  }

  /// Carries it out.
  ///
  /// - Parameter visit: called after each event of the old log.
  /// - Throws: `EventStoreError`, what `report` and `visit` throw; the new session then has the
  ///   beginning, or is not there.
  package consuming func run(_ visit: () throws -> Void = {}) throws -> WhatIf.Result<R.State> {
    var page = EventBatch()
    var reached = plan.at
    while reached < plan.until {
      try store.read(parent.id, after: reached, through: plan.until, into: &page)
      guard let last = page.headers.last else { break }
      for index in page.headers.indices {
        try take(page[index])
        try visit()
      }
      reached = last.seq
    }
    try finishStep()
    let cancelled = open.values.sorted()
    for cause in cancelled {
      _ = try writer.add(.cancelled, cause: cause, at: writer.recordedAt ?? .now(), Self.nothing)
    }
    let session = try writer.commit()
    return WhatIf.Result(
      session: session, version: writer.version, state: state, sent: counts.sent,
      leftOut: leftOut.count, differences: counts.differences, cancelled: cancelled)
  }

  /// Ends the last first step. One that the plan's end cuts is compared whole.
  private mutating func finishStep() throws {
    var (reached, page) = (plan.until, EventBatch())
    while step != nil {
      try store.read(parent.id, after: reached, through: .max, into: &page)
      guard let last = page.headers.last else { break }
      for index in page.headers.indices {
        guard let step, step.recorded.holds(page.headers[index]) else { return try endStep() }
        try take(page[index])
      }
      reached = last.seq
    }
    try endStep()
  }

  private mutating func prepare(_ change: WhatIf.Change, of seq: Seq) throws {
    guard seq > plan.at, seq <= plan.until else {
      throw WhatIf.Failure.outside(seq, at: plan.at, until: plan.until)
    }
    var page = EventBatch()
    try store.read(parent.id, after: seq.previous, through: seq, into: &page)
    guard let header = page.headers.first else {
      throw WhatIf.Failure.outside(seq, at: plan.at, until: plan.until)
    }
    if header.kind != .action {
      throw WhatIf.Failure.notAnAction(seq, kind: header.kind, cause: header.cause)
    }
    guard case .replace(let line) = change else { return }
    do {
      replacements[seq] = try codec.acceptInputAction(R.Action.self, from: line)
    } catch {
      throw WhatIf.Failure.notAnInput(seq, reason: "\(error)")
    }
  }

  private static var nothing: [UInt8] { Array("{}".utf8) }
}

// One event of the old log.
extension WhatIfRun {
  private mutating func take(_ event: Event) throws {
    let header = event.header
    if let step, !step.recorded.holds(header) { try endStep() }
    if step != nil {
      // It was decided anew; what was recorded is only compared.
      let mutation =
        header.kind == .mutation ? try? codec.decode(R.Mutation.self, from: event.payload) : nil
      step?.recorded.add(header, event.payload, mutation)
      if step?.recorded.isOver == true { try endStep() }
      return
    }
    try writer.commitIfFull()
    if leftOut.contains(header.cause) {
      if header.kind == .action { try leaveOut(event, .senderGone(cause: header.cause)) }
      return
    }
    switch header.kind {
    case .action: try takeAction(event)
    case .mutation: try takeMutation(event)
    case .pending, .completed, .cancelled, .failed: try takeEffectEvent(event)
    }
  }

  private mutating func takeMutation(_ event: Event) throws {
    if gone.contains(event.header.cause) { return }
    let mutation: R.Mutation
    let payload: [UInt8]
    do {
      mutation = try codec.decode(R.Mutation.self, from: event.payload)
      payload = try codec.encode(mutation)
    } catch {
      return try tell(event, nil, .unreadable(.mutation, reason: "\(error)"))
    }
    try keep(event, payload)
    reactor.reduce(state: &state, mutation: mutation)
  }

  private mutating func takeEffectEvent(_ event: Event) throws {
    let cause = event.header.cause
    if gone.contains(cause) {
      if event.header.kind.endsEffect { gone.remove(cause) }
      return
    }
    if event.header.kind == .pending {
      open[cause] = places.new(cause)
    } else if open.removeValue(forKey: cause) == nil, event.header.kind != .failed {
      return
    }
    try keep(event, event.payload)
  }

  private mutating func keep(_ event: Event, _ payload: [UInt8]) throws {
    let header = event.header
    let cause = header.cause == .zero ? .zero : places.new(header.cause)
    _ = try writer.add(header.kind, cause: cause, at: header.recordedAt, payload)
  }

  private mutating func leaveOut(
    _ event: Event, _ difference: WhatIf.Difference.Kind? = nil
  ) throws {
    leftOut.insert(event.header.seq)
    if let difference { try tell(event, nil, difference) }
  }

  private mutating func tell(
    _ event: Event, _ new: Seq?, _ kind: WhatIf.Difference.Kind
  ) throws {
    try tell(event.header.seq, new, event.payload, kind)
  }

  private mutating func tell(
    _ old: Seq, _ new: Seq?, _ payload: [UInt8], _ kind: WhatIf.Difference.Kind
  ) throws {
    counts.differences += 1
    try report(WhatIf.Difference(old: old, new: new, payload: payload, kind: kind))
  }
}

// One action of the old log, decided anew.
extension WhatIfRun {
  private mutating func takeAction(_ event: Event) throws {
    let header = event.header
    if case .skip? = plan.changes[header.seq] { return try leaveOut(event) }
    if gone.contains(header.cause) {
      return try leaveOut(event, .senderGone(cause: header.cause))
    }
    let replacement = replacements[header.seq]
    let action: R.Action
    do {
      action = try replacement?.action ?? codec.decodeAction(R.Action.self, from: event.payload)
    } catch {
      return try leaveOut(event, .unreadable(.action, reason: "\(error)"))
    }
    let answer = probe.answer(to: action, at: header.seq, in: state)
    let cause = header.cause == .zero ? .zero : places.new(header.cause)
    let new = try writer.add(
      .action, cause: cause, at: header.recordedAt, replacement?.payload ?? event.payload,
      delivery: replacement == nil ? event.delivery : nil)
    places.note(header.seq, is: new)
    counts.sent += 1
    // Its first step is kept as what follows in the old log.
    if answer.lacksSecret { return try tell(event, new, .secret) }
    try log(answer, of: event, as: new)
  }

  private mutating func log(
    _ answer: MutateProbe<R>.Answer, of event: Event, as new: Seq
  ) throws {
    let time = event.header.recordedAt
    var payloads: [[UInt8]] = []
    for mutation in answer.mutations {
      // What cannot be written is dropped, as a session does.
      guard let payload = try? codec.encode(mutation) else { continue }
      payloads.append(payload)
      _ = try writer.add(.mutation, cause: new, at: time, payload)
      reactor.reduce(state: &state, mutation: mutation)
    }
    var failure: [UInt8]?
    if let error = answer.failure, !answer.goesOn {
      let payload = (try? codec.encode(FailedPayload(error))) ?? Self.nothing
      _ = try writer.add(.failed, cause: new, at: time, payload)
      failure = payload
    }
    step = Step(
      recorded: FirstStep(
        .init(seq: event.header.seq, payload: event.payload), recordedAt: time, answer: answer),
      new: new, mutations: payloads, failure: failure,
      isReplaced: replacements[event.header.seq] != nil)
  }

  /// The first step is over in the old log: it is compared, and what takes time is answered from the
  /// old log or not at all.
  private mutating func endStep() throws {
    guard let step = step.take() else { return }
    let (recorded, old) = (step.recorded, step.recorded.action.seq)
    let tell = { (run: inout Self, kind: WhatIf.Difference.Kind) in
      try run.tell(old, step.new, recorded.action.payload, kind)
    }
    if try recorded.mutationsDiffer(codec) {
      try tell(&self, .decision(was: recorded.mutations.map(\.payload), is: step.mutations))
    }
    if recorded.failure?.payload != step.failure, !recorded.isPending {
      try tell(&self, .failure(was: recorded.failure?.payload, is: step.failure))
    }
    if recorded.answer.goesOn {
      try goOn(step)
      if open[old] == nil { try tell(&self, .effectUnanswered) }
    } else if recorded.isPending {
      try tell(&self, .effectGone)
    }
    if recorded.isPending, open[old] == nil { gone.insert(old) }
  }

  private mutating func goOn(_ step: Step) throws {
    let recorded = step.recorded
    let payload = try recorded.pending ?? codec.encode(PendingPayload(owner: 0))
    _ = try writer.add(.pending, cause: step.new, at: recorded.recordedAt, payload)
    if recorded.isPending, !step.isReplaced {
      open[recorded.action.seq] = step.new
    } else {
      _ = try writer.add(.cancelled, cause: step.new, at: recorded.recordedAt, Self.nothing)
    }
  }
}
