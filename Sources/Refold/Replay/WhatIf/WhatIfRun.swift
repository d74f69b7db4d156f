import EventStoreCore

/// Carries out a `WhatIf.Plan`: goes through the events of the old log and writes a new one.
///
/// An action is decided again, in the state of the new log, and what it gives at once is logged as it
/// is decided now. Nothing that takes time is started: what an effect gave later is taken from the old
/// log, as are mutations from outside any action, each at its old place among the others and with its
/// old time.
/// - Complexity: O(n) for n events; the memory of three states, a commit, the open effects and the
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
  private var course: RecordedCourse<R>
  /// The ids of the effects in `open`, by the action's seq in the old log.
  private var ids = EffectIDs()
  private var changes = CancellationChanges()
  /// Whether the two logs may have other states.
  private var isOther = false
  private var cancelled: [Seq] = []
  /// The last event that was gone through.
  private var until: Seq
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
    let past = try SharedPast(probe, parent, through: plan.at, in: store, codec)
    open = Dictionary(uniqueKeysWithValues: past.openEffects.map { ($0, $0) })
    state = past.state
    until = plan.at
    ids = past.ids
    course = RecordedCourse(state, ids)
    writer = try ForkWriter(
      parent, at: plan.at, recordedAt: past.recordedAt, named: name,
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
    for (effect, kind) in changes.rest() { try tell(ofEffect: effect, kind) }
    for cause in open.values.sorted() {
      try cancel(cause, at: writer.recordedAt ?? .now())
    }
    let session = try writer.commit()
    return WhatIf.Result(
      session: session, version: writer.version, state: state, sent: counts.sent,
      leftOut: leftOut.count, differences: counts.differences, until: until,
      cancelled: cancelled.sorted())
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

  private static var nothing: [UInt8] { [0x7b, 0x7d] }
}

// One event of the old log.
extension WhatIfRun {
  private mutating func take(_ event: Event) throws {
    let header = event.header
    if let step, !step.recorded.holds(header) { try endStep() }
    let reading = Reading<R>(event, codec)
    follow(header, reading)
    until = header.seq
    if step != nil {
      // It was decided anew; what was recorded is only compared.
      step?.recorded.add(header, event.payload, try? reading.mutation?.get())
      if step?.recorded.isOver == true { try endStep() }
      return
    }
    try writer.commitIfFull()
    if leftOut.contains(header.cause) {
      if header.kind == .action { try leaveOut(event, .senderGone(cause: header.cause)) }
      return
    }
    switch header.kind {
    case .action: if let action = reading.action { try takeAction(event, action) }
    case .mutation: if let mutation = reading.mutation { try takeMutation(event, mutation) }
    case .pending, .completed, .cancelled, .failed: try takeEffectEvent(event)
    }
  }

  private mutating func follow(_ header: EventHeader, _ reading: Reading<R>) {
    if let action = reading.action { course.take(try? action.get(), at: header.seq, probe) }
    if let mutation = try? reading.mutation?.get() { course.take(mutation, reactor) }
    if header.kind.endsEffect { course.end(header.cause) }
  }

  private mutating func takeMutation(
    _ event: Event, _ recorded: Result<R.Mutation, any Error>
  ) throws {
    if gone.contains(event.header.cause) { return changes.lose(event.header.cause) }
    let mutation: R.Mutation
    let payload: [UInt8]
    do {
      mutation = try recorded.get()
      payload = try codec.encode(mutation)
    } catch {
      return try tell(event, nil, .unreadable(.mutation, reason: "\(error)"))
    }
    try keep(event, payload)
    reactor.reduce(state: &state, mutation: mutation)
  }

  private mutating func takeEffectEvent(_ event: Event) throws {
    let cause = event.header.cause
    let kind = event.header.kind
    if kind.endsEffect {
      ids.end(cause)
      if let change = changes.end(cause, by: kind) { try tell(ofEffect: cause, change) }
    }
    if gone.contains(cause) {
      if kind.endsEffect { gone.remove(cause) }
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
    isOther = true
    for effect in course.targets where open[effect] != nil {
      changes.orphan(effect, of: event.header.seq)
    }
    if let difference { try tell(event, nil, difference) }
  }

  private mutating func tell(
    _ event: Event, _ new: Seq?, _ kind: WhatIf.Difference.Kind
  ) throws {
    try tell(event.header.seq, new, event.payload, kind)
  }

  /// Tells something of the effect of an action that was gone through before.
  private mutating func tell(ofEffect old: Seq, _ kind: WhatIf.Difference.Kind) throws {
    var page = EventBatch()
    try store.read(parent.id, after: old.previous, through: old, into: &page)
    guard let action = page.headers.indices.first.map({ page[$0] }) else { return }
    try tell(action, places.new(old), kind)
  }

  private mutating func tell(
    _ old: Seq, _ new: Seq?, _ payload: [UInt8], _ kind: WhatIf.Difference.Kind
  ) throws {
    isOther = true
    counts.differences += 1
    try report(
      WhatIf.Difference(
        old: old, new: new, payload: payload, replacement: replacements[old]?.payload, kind: kind))
  }
}

// One action of the old log, decided anew.
extension WhatIfRun {
  private mutating func takeAction(
    _ event: Event, _ recorded: Result<R.Action, any Error>
  ) throws {
    let header = event.header
    if case .skip? = plan.changes[header.seq] { return try leaveOut(event) }
    if gone.contains(header.cause) {
      return try leaveOut(event, .senderGone(cause: header.cause))
    }
    let replacement = replacements[header.seq]
    let action: R.Action
    do {
      action = try replacement?.action ?? recorded.get()
    } catch {
      return try leaveOut(event, .unreadable(.action, reason: "\(error)"))
    }
    if replacement != nil { isOther = true }
    let answer =
      (isOther ? nil : course.answer) ?? probe.answer(to: action, at: header.seq, in: state)
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
    try cancel(by: step)
  }

  private mutating func cancel(_ new: Seq, at time: Timestamp) throws {
    _ = try writer.add(.cancelled, cause: new, at: time, Self.nothing)
    cancelled.append(new)
  }

  /// Cancels what runs under the ids that the action cancels. What it cancelled in the old log as well
  /// ends as it did there: the log has what came before.
  private mutating func cancel(by step: Step) throws {
    let old = step.recorded.action.seq
    let targets = ids.effects(under: step.recorded.answer.cancels).subtracting([old])
    for effect in course.targets where open[effect] != nil {
      if targets.contains(effect) { changes.keep(effect) } else { changes.orphan(effect, of: old) }
    }
    for effect in targets.subtracting(course.targets).sorted() {
      guard let new = open.removeValue(forKey: effect) else { continue }
      try cancel(new, at: step.recorded.recordedAt)
      ids.end(effect)
      gone.insert(effect)
      changes.cancel(effect, by: old)
      isOther = true
    }
  }

  private mutating func goOn(_ step: Step) throws {
    let recorded = step.recorded
    let payload = try recorded.pending ?? codec.encode(PendingPayload(owner: 0))
    _ = try writer.add(.pending, cause: step.new, at: recorded.recordedAt, payload)
    if recorded.isPending, !step.isReplaced {
      open[recorded.action.seq] = step.new
      ids.note(recorded.answer.cancellableUnder, of: recorded.action.seq)
    } else {
      try cancel(step.new, at: recorded.recordedAt)
    }
  }
}
