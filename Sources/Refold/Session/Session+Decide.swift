import EventStoreCore

// Deciding: what a step comes to, written into the workspace.
// Nothing here reaches the outside world, because a step may have to be decided again.
extension Session {
  /// Decides an action that nothing transforms: it is logged, and `mutate` asked about it.
  /// - Throws: `EventStoreError.sessionFull`; the open batch is of no use afterwards.
  func decide(
    _ action: R.Action, payload: RawSpan, delivery: Delivery?, cause: Seq, reply: Reply
  ) throws -> Step {
    let (log, batch) = (workspace.log, workspace.batch)
    workspace.beginStep(at: options.now())
    defer { workspace.endStep() }
    try log.append(.action, cause: cause, payload, delivery: delivery)
    let seq = log.progress.version
    log.cause = seq
    log.keepsAction = true
    let goesOn = try reactor._decide(
      action, state: &workspace.state, log: log, actions: &batch.actions,
      mutations: &batch.mutations, rest: &workspace.rest)
    var draft: StepDraft?
    if goesOn {
      var begun = StepDraft(action: seq)
      try beginRest(cause: seq, &begun)
      draft = begun
    }
    return Step(
      action: seq, lastSeq: log.progress.version, eventCount: workspace.eventsOfStep,
      reply: reply, isPlain: true, details: details(draft, delivery))
  }

  /// Decides the action that waited as `accepted`, as above.
  func decide(_ accepted: AcceptedAction<R>) throws -> Step {
    let payload = accepted.payload
    return try decide(
      accepted.action, payload: payload.span.bytes, delivery: accepted.delivery,
      cause: accepted.sender.cause, reply: accepted.reply)
  }

  /// Carries out `script` on the workspace.
  /// - Throws: `EventStoreError.sessionFull`; the open batch is of no use afterwards.
  func decide(_ script: [Decision<R>]) throws -> Step {
    workspace.beginStep(at: options.now())
    defer { workspace.endStep() }
    var (draft, reply, delivery) = (StepDraft(), Reply.nobody, Delivery?.none)
    // Open until all of the step's actions are decided, so that what was made of one action has one
    // end, whatever each of them comes to.
    let isSplit = script.count { if case .mutate = $0 { true } else { false } } > 1
    var held: Set<Seq> = []
    for decision in script {
      if case .accept(let accepted, _) = decision {
        (reply, delivery) = (accepted.reply, accepted.delivery)
      }
      if isSplit, case .mutate(_, let tag) = decision, let cause = cause(of: tag, draft),
        held.insert(cause).inserted
      {
        hold(cause)
      }
      try carryOut(decision, &draft)
    }
    for cause in held.sorted() { try release(cause) }
    return Step(
      action: draft.action, lastSeq: log.progress.version, eventCount: workspace.eventsOfStep,
      reply: reply, isPlain: false, details: details(draft, delivery))
  }

  private func details(_ draft: StepDraft?, _ delivery: Delivery?) -> StepDetails? {
    if draft == nil, delivery == nil, workspace.log.issues.isEmpty { return nil }
    return StepDetails(
      draft ?? StepDraft(), issues: workspace.log.takeIssues(), delivery: delivery)
  }

  private func carryOut(_ decision: Decision<R>, _ step: inout StepDraft) throws {
    switch decision {
    case .accept(let accepted, let tag): try accept(accepted, tag, &step)
    case .mutate(let action, let tag):
      guard let cause = cause(of: tag, step) else { return }
      try mutate(action, cause: cause, &step)
    case .retry(let actions, let cause, let pending):
      guard takeOver(cause, pending) else { return }
      // Open until all of them are decided, so that there is one end whatever they come to.
      log.progress.open[cause] = Progress.OpenEffect(parts: 1, isPending: false)
      for action in actions { try mutate(action, cause: cause, &step) }
      try endPart(of: cause, .completed)
    case .mutation(let mutation, let cause): try reduce(mutation, cause: cause)
    case .replayed(let mutation): try reduceIfItChanges(mutation)
    case .recover: try recover()
    case .fail(let error, let tag): try fail(error, cause: cause(of: tag, step) ?? .zero)
    case .end(let run, let outcome):
      try endPart(of: run.cause, outcome)
      step.ended.append((run, outcome))
    case .drop(let cause, let pending):
      guard takeOver(cause, pending) else { return }
      try log.append(.cancelled, cause: cause, Self.noPayload)
    }
  }

  /// The present seq of what was pushed into `transform(action:)` under `tag`; nil where that is not
  /// executed.
  private func cause(of tag: Seq?, _ step: StepDraft) -> Seq? {
    tag.map { workspace.held.seq(of: $0) } ?? step.action
  }

  private func accept(
    _ accepted: AcceptedAction<R>, _ tag: Seq?, _ step: inout StepDraft
  ) throws {
    let (payload, sender) = (accepted.payload, accepted.sender)
    let cause = sender.isTag ? workspace.held.seq(of: sender.cause) ?? .zero : sender.cause
    try log.append(.action, cause: cause, payload.span.bytes, delivery: accepted.delivery)
    step.action = log.progress.version
    if let tag { workspace.held.place(tag, at: step.action) }
    if workspace.actions == nil { try mutate(accepted.action, cause: step.action, &step) }
  }

  private func mutate(_ action: R.Action, cause: Seq, _ step: inout StepDraft) throws {
    if workspace.mutations != nil { return try mutateThroughTransform(action, cause, &step) }
    log.cause = cause
    log.keepsAction = false
    let batch = workspace.batch
    let goesOn = try reactor._decide(
      action, state: &workspace.state, log: log, actions: &batch.actions,
      mutations: &batch.mutations, rest: &workspace.rest)
    if goesOn { try beginRest(cause: cause, &step) }
  }

  /// Asks `mutate`, and takes what it gives through `transform(mutation:)` to `reduce`.
  private func mutateThroughTransform(
    _ action: R.Action, _ cause: Seq, _ step: inout StepDraft
  ) throws {
    let effect = reactor.mutate(action: action, state: workspace.state)
    switch effect.core {
    case .single(let mutation): try give(mutation, cause: cause, &step)
    case .values(let mutations):
      for mutation in mutations { try give(mutation, cause: cause, &step) }
    case .stream: try begin(effect, cause: cause, &step)
    }
  }

  private func beginRest(cause: Seq, _ step: inout StepDraft) throws {
    guard let effect = workspace.rest.take() else { return }
    try begin(effect, cause: cause, &step)
  }

  /// Takes `mutation` through `transform(mutation:)` to `reduce`.
  private func give(
    _ mutation: R.Mutation, cause: Seq, _ step: inout StepDraft
  ) throws {
    guard let pipeline = workspace.mutations, pipeline.push(mutation, cause: cause) else {
      return try reduce(mutation, cause: cause)
    }
    try reduceOutputs(&step)
  }

  /// Begins `effect`, reduces what it gives at once, and logs whether it goes on.
  private func begin(
    _ effect: Effect<R.Mutation>, cause: Seq, _ step: inout StepDraft
  ) throws {
    let run = EffectRun(cause: cause, loop: self)
    step.begun.append(run)
    let (outbox, mutations) = (outbox, workspace.mutations)
    effect.begin(in: run.scope) { signal in
      switch signal {
      case .next(let mutation, let cause):
        if mutations?.push(mutation, cause: cause) != true {
          outbox.append(.mutation(mutation, cause: cause))
        }
      case .finished: Self.end(run, .completed, outbox)
      case .cancelled: Self.end(run, .cancelled, outbox)
      case .failed(let error): Self.end(run, .failed(error), outbox)
      }
    }
    if let outcome = try reduceOutputs(&step) {
      step.ended.append((run, outcome))
      if log.progress.open[cause] != nil {
        // A part of an effect that goes on, as every retry does until it is decided: not its end.
        log.progress.open[cause]?.note(outcome)
      } else if case .failed(let error) = outcome {
        try logFailure(error, cause: cause)
      }
    } else {
      step.goingOn.append(run)
      try goOn(cause)
    }
  }

  private static func end(_ run: EffectRun, _ outcome: EffectOutcome, _ outbox: Outbox<R>) {
    if run.scope.cancel() { outbox.append(.end(run, outcome)) }
  }

  /// Reduces what effects and transforms just gave.
  /// - Returns: how the effect that was begun ended, if it did.
  @discardableResult
  private func reduceOutputs(_ step: inout StepDraft) throws -> EffectOutcome? {
    var end: EffectOutcome?
    for output in outbox.drain() {
      switch output {
      case .mutation(let mutation, let cause):
        try reduce(mutation, cause: cause)
      case .action(let action, let cause):
        if let cause = workspace.held.seq(of: cause) { try mutate(action, cause: cause, &step) }
      case .end(_, let outcome): end = outcome
      case .failed(let error, let cause):
        try fail(error, cause: cause)
      }
    }
    return end
  }

  private func recover() throws {
    let left = Set(interrupted.map(\.cause))
    guard left.isSuperset(of: log.progress.openElsewhere.keys),
      let mutation = reactor.recover(state: workspace.state)
    else { return }
    try reduceIfItChanges(mutation)
  }

  /// Takes the effect of `cause` from who left it, unless another process has done so.
  private func takeOver(_ cause: Seq, _ pending: Seq) -> Bool {
    guard log.progress.openElsewhere[cause] == pending else { return false }
    log.progress.openElsewhere[cause] = nil
    return true
  }

  /// Notes that a part of the effect of `cause` goes on, and logs the first one.
  private func goOn(_ cause: Seq) throws {
    var open = log.progress.open[cause] ?? Progress.OpenEffect(parts: 0, isPending: false)
    let isPending = open.isPending
    open.parts += 1
    open.isPending = true
    log.progress.open[cause] = open
    // An action that a transform made of nothing has no event that a pending could name.
    if isPending || cause == .zero { return }
    try log.append(.pending, cause: cause, encoded(PendingPayload(owner: owner)))
  }

  /// Keeps the effect of `cause` from ending before `release`.
  private func hold(_ cause: Seq) {
    log.progress.open[cause, default: Progress.OpenEffect(parts: 0, isPending: false)].parts +=
      1
  }

  /// Lets the effect of `cause` end, and where none of it goes on, logs that it failed if it did.
  private func release(_ cause: Seq) throws {
    guard let open = log.progress.open[cause] else { return }
    if open.parts > 1 || open.isPending {
      return try endPart(of: cause, .completed)
    }
    log.progress.open[cause] = nil
    if case .failed(let error) = open.outcome {
      try logFailure(error, cause: cause)
    }
  }

  /// Notes the end of a part of the effect of `cause`, and logs that of the last one.
  private func endPart(of cause: Seq, _ outcome: EffectOutcome) throws {
    guard var open = log.progress.open[cause] else { return }
    open.endPart(outcome)
    log.progress.open[cause] = open.parts > 0 ? open : nil
    guard open.parts <= 0 else { return }
    switch open.outcome {
    case .completed where cause == .zero, .cancelled where cause == .zero: break
    case .completed: try log.append(.completed, cause: cause, Self.noPayload)
    case .cancelled: try log.append(.cancelled, cause: cause, Self.noPayload)
    case .failed(let error): try logFailure(error, cause: cause)
    }
  }

  /// Logs what failed outside the effect of `cause`; where that goes on, as its end.
  private func fail(_ error: any Error, cause: Seq) throws {
    if cause == .zero { return }
    if log.progress.open[cause] != nil {
      log.progress.open[cause]?.outcome = .failed(error)
    } else {
      try log.append(.failed, cause: cause, encoded(FailedPayload(error)))
    }
  }

  private func logFailure(_ error: any Error, cause: Seq) throws {
    if cause != .zero {
      try log.append(.failed, cause: cause, encoded(FailedPayload(error)))
    }
    log.issues.append(.effectFailed(cause: cause, error: error))
  }

  private func reduce(_ mutation: R.Mutation, cause: Seq) throws {
    log.cause = cause
    let batch = workspace.batch
    try reactor._reduce(
      mutation, state: &workspace.state, log: log, mutations: &batch.mutations)
  }

  private func reduceIfItChanges(_ mutation: R.Mutation) throws {
    var changed = workspace.state
    reactor.reduce(state: &changed, mutation: mutation)
    if encoded(changed) == encoded(workspace.state) { return }
    try reduce(mutation, cause: .zero)
  }

  private var log: _StepLog { workspace.log }

  private static var noPayload: [UInt8] { Array("{}".utf8) }

  /// The JSON of our own payloads and, for comparison, of states.
  private func encoded(_ value: some Encodable) -> [UInt8] {
    (try? codec.encode(value)) ?? Self.noPayload
  }
}
