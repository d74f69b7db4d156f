import EventStoreCore

// Deciding: what a step comes to, written into the workspace.
// Nothing here reaches the outside world, because a step may have to be decided again.
extension Session {
  /// Carries out `script` on the workspace.
  /// - Throws: `EventStoreError.sessionFull`; the workspace is of no use afterwards.
  func decide(_ script: [Decision<R>], _ workspace: Workspace<R>) throws -> Step<R> {
    workspace.scratch.removeAll()
    workspace.working.recordedAt = max(options.now(), workspace.working.recordedAt)
    var step = Step(script: script, isObserved: !observers.isEmpty)
    // Open until all of the step's actions are decided, so that what was made of one action has one
    // end, whatever each of them comes to.
    let isSplit = script.count { if case .mutate = $0 { true } else { false } } > 1
    var held: Set<Seq> = []
    for decision in script {
      switch decision {
      case .accept(let accepted): try accept(accepted, workspace, &step)
      case .mutate(let action, let cause):
        let cause = cause ?? step.action ?? .zero
        if isSplit, held.insert(cause).inserted { hold(cause, workspace) }
        try mutate(action, cause: cause, workspace, &step)
      case .retry(let actions, let cause, let pending):
        guard takeOver(cause, pending, workspace) else { continue }
        // Open until all of them are decided, so that there is one end whatever they come to.
        workspace.working.open[cause] = Working.OpenEffect(parts: 1, isPending: false)
        for action in actions { try mutate(action, cause: cause, workspace, &step) }
        try endPart(of: cause, .completed, workspace, &step)
      case .mutation(let mutation, let cause): try reduce(mutation, cause: cause, workspace, &step)
      case .replayed(let mutation): try reduceIfItChanges(mutation, workspace, &step)
      case .recover: try recover(workspace, &step)
      case .fail(let error, let cause):
        try fail(error, cause: cause ?? step.action ?? .zero, workspace)
      case .end(let run, let outcome):
        try endPart(of: run.cause, outcome, workspace, &step)
        step.ended.append((run, outcome))
      case .drop(let cause, let pending):
        guard takeOver(cause, pending, workspace) else { continue }
        try log(.cancelled, cause: cause, Self.noPayload, workspace)
      }
    }
    for cause in held.sorted() { try release(cause, workspace, &step) }
    step.lastSeq = workspace.working.version
    step.eventCount = workspace.scratch.count
    return step
  }

  private func accept(
    _ accepted: AcceptedAction<R>, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    try log(
      .action, cause: accepted.cause, accepted.payload, delivery: accepted.delivery, workspace)
    let seq = workspace.working.version
    step.action = seq
    if workspace.actions == nil { try mutate(accepted.action, cause: seq, workspace, &step) }
  }

  private func mutate(
    _ action: R.Action, cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    let effect = reactor.mutate(action: action, state: workspace.working.state)
    switch effect.core {
    case .single(let mutation): try give(mutation, cause: cause, workspace, &step)
    case .values(let mutations):
      for mutation in mutations { try give(mutation, cause: cause, workspace, &step) }
    case .stream: try begin(effect, cause: cause, workspace, &step)
    }
  }

  /// Takes `mutation` through `transform(mutation:)` to `reduce`.
  private func give(
    _ mutation: R.Mutation, cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    guard let pipeline = workspace.mutations, pipeline.push(mutation, cause: cause) else {
      return try reduce(mutation, cause: cause, workspace, &step)
    }
    try reduceOutputs(workspace, &step)
  }

  /// Begins `effect`, reduces what it gives at once, and logs whether it goes on.
  private func begin(
    _ effect: Effect<R.Mutation>, cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>
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
    if let outcome = try reduceOutputs(workspace, &step) {
      step.ended.append((run, outcome))
      if workspace.working.open[cause] != nil {
        // A part of an effect that goes on, as every retry does until it is decided: not its end.
        workspace.working.open[cause]?.note(outcome)
      } else if case .failed(let error) = outcome {
        try logFailure(error, cause: cause, workspace, &step)
      }
    } else {
      step.goingOn.append(run)
      try goOn(cause, workspace)
    }
  }

  private static func end(_ run: EffectRun, _ outcome: EffectOutcome, _ outbox: Outbox<R>) {
    if run.scope.cancel() { outbox.append(.end(run, outcome)) }
  }

  /// Reduces what effects and transforms just gave.
  /// - Returns: how the effect that was begun ended, if it did.
  @discardableResult
  private func reduceOutputs(
    _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws -> EffectOutcome? {
    var end: EffectOutcome?
    for output in outbox.drain() {
      switch output {
      case .mutation(let mutation, let cause):
        try reduce(mutation, cause: cause, workspace, &step)
      case .action(let action, let cause):
        try mutate(action, cause: workspace.present(cause), workspace, &step)
      case .end(_, let outcome): end = outcome
      case .failed(let error, let cause):
        try fail(error, cause: cause, workspace)
      }
    }
    return end
  }

  private func recover(_ workspace: Workspace<R>, _ step: inout Step<R>) throws {
    let left = Set(interrupted.map(\.cause))
    guard left.isSuperset(of: workspace.working.openElsewhere.keys),
      let mutation = reactor.recover(state: workspace.working.state)
    else { return }
    try reduceIfItChanges(mutation, workspace, &step)
  }

  /// Takes the effect of `cause` from who left it, unless another process has done so.
  private func takeOver(_ cause: Seq, _ pending: Seq, _ workspace: Workspace<R>) -> Bool {
    guard workspace.working.openElsewhere[cause] == pending else { return false }
    workspace.working.openElsewhere[cause] = nil
    return true
  }

  /// Notes that a part of the effect of `cause` goes on, and logs the first one.
  private func goOn(_ cause: Seq, _ workspace: Workspace<R>) throws {
    var open = workspace.working.open[cause] ?? Working.OpenEffect(parts: 0, isPending: false)
    let isPending = open.isPending
    open.parts += 1
    open.isPending = true
    workspace.working.open[cause] = open
    // An action that a transform made of nothing has no event that a pending could name.
    if isPending || cause == .zero { return }
    try log(.pending, cause: cause, encoded(PendingPayload(owner: owner.owner)), workspace)
  }

  /// Keeps the effect of `cause` from ending before `release`.
  private func hold(_ cause: Seq, _ workspace: Workspace<R>) {
    workspace.working.open[cause, default: Working.OpenEffect(parts: 0, isPending: false)].parts +=
      1
  }

  /// Lets the effect of `cause` end, and where none of it goes on, logs that it failed if it did.
  private func release(_ cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>) throws {
    guard let open = workspace.working.open[cause] else { return }
    if open.parts > 1 || open.isPending {
      return try endPart(of: cause, .completed, workspace, &step)
    }
    workspace.working.open[cause] = nil
    if case .failed(let error) = open.outcome {
      try logFailure(error, cause: cause, workspace, &step)
    }
  }

  /// Notes the end of a part of the effect of `cause`, and logs that of the last one.
  private func endPart(
    of cause: Seq, _ outcome: EffectOutcome, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    guard var open = workspace.working.open[cause] else { return }
    open.endPart(outcome)
    workspace.working.open[cause] = open.parts > 0 ? open : nil
    guard open.parts <= 0 else { return }
    switch open.outcome {
    case .completed where cause == .zero, .cancelled where cause == .zero: break
    case .completed: try log(.completed, cause: cause, Self.noPayload, workspace)
    case .cancelled: try log(.cancelled, cause: cause, Self.noPayload, workspace)
    case .failed(let error): try logFailure(error, cause: cause, workspace, &step)
    }
  }

  /// Logs what failed outside the effect of `cause`; where that goes on, as its end.
  private func fail(_ error: any Error, cause: Seq, _ workspace: Workspace<R>) throws {
    if cause == .zero { return }
    if workspace.working.open[cause] != nil {
      workspace.working.open[cause]?.outcome = .failed(error)
    } else {
      try log(.failed, cause: cause, encoded(FailedPayload(error)), workspace)
    }
  }

  private func logFailure(
    _ error: any Error, cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    if cause != .zero {
      try log(.failed, cause: cause, encoded(FailedPayload(error)), workspace)
    }
    step.issues.append(.effectFailed(cause: cause, error: error))
  }

  private func reduce(
    _ mutation: R.Mutation, cause: Seq, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    workspace.payload.removeAll(keepingCapacity: true)
    do {
      try codec.encode(mutation, into: &workspace.payload)
    } catch {
      let type = String(describing: R.Mutation.self)
      let issue = SessionError.unencodable(type: type, reason: "\(error)")
      step.issues.append(.mutationDropped(cause: cause, error: issue))
      return
    }
    try log(.mutation, cause: cause, workspace.payload, workspace)
    reactor.reduce(state: &workspace.working.state, mutation: mutation)
    if step.isObserved { step.states.append((workspace.working.state, cause)) }
  }

  private func reduceIfItChanges(
    _ mutation: R.Mutation, _ workspace: Workspace<R>, _ step: inout Step<R>
  ) throws {
    var changed = workspace.working.state
    reactor.reduce(state: &changed, mutation: mutation)
    if encoded(changed) == encoded(workspace.working.state) { return }
    try reduce(mutation, cause: .zero, workspace, &step)
  }

  private func log(
    _ kind: EventKind, cause: Seq, _ payload: [UInt8], delivery: Delivery? = nil,
    _ workspace: Workspace<R>
  ) throws {
    guard let seq = workspace.working.version.advanced(by: 1) else {
      throw EventStoreError.sessionFull(info.name.rawValue)
    }
    workspace.scratch.append(
      EventHeader(seq: seq, kind: kind, cause: cause, recordedAt: workspace.working.recordedAt),
      payload: payload, delivery: delivery)
    workspace.working.version = seq
  }

  private static var noPayload: [UInt8] { Array("{}".utf8) }

  /// The JSON of our own payloads and, for comparison, of states.
  private func encoded(_ value: some Encodable) -> [UInt8] {
    (try? codec.encode(value)) ?? Self.noPayload
  }
}
