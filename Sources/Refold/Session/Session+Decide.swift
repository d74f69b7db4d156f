import EventStoreCore

// Deciding: what a step comes to, written into the loop's scratch batch and its working state.
// Nothing here reaches the outside world, because a step may have to be decided again.
extension Session {
  /// Carries out `script` on the loop's working state.
  /// - Throws: `EventStoreError.sessionFull`; the loop is of no use afterwards.
  func decide(_ script: [Decision<R>], _ loop: Loop<R>) throws -> Step<R> {
    loop.scratch.removeAll()
    loop.working.recordedAt = max(options.now(), loop.working.recordedAt)
    var step = Step(script: script, isObserved: !observers.isEmpty)
    for decision in script {
      switch decision {
      case .accept(let accepted): try accept(accepted, loop, &step)
      case .mutate(let action, let cause):
        try mutate(action, cause: cause ?? step.action ?? .zero, loop, &step)
      case .retry(let action, let cause):
        loop.working.open[cause] = Working.OpenEffect(parts: 1)
        try mutate(action, cause: cause, loop, &step)
        try endPart(of: cause, .completed, loop, &step)
      case .mutation(let mutation, let cause): try reduce(mutation, cause: cause, loop, &step)
      case .replayed(let mutation): try reduceIfItChanges(mutation, loop, &step)
      case .end(let run, let outcome):
        try endPart(of: run.cause, outcome, loop, &step)
        step.ended.append((run, outcome))
      case .drop(let cause): try log(.cancelled, cause: cause, Self.noPayload, loop)
      }
    }
    step.lastSeq = loop.working.version
    step.eventCount = loop.scratch.count
    return step
  }

  private func accept(
    _ accepted: AcceptedAction<R>, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    try log(
      .action, cause: accepted.cause, accepted.payload, delivery: accepted.delivery, loop)
    let seq = loop.working.version
    step.action = seq
    if loop.actions == nil { try mutate(accepted.action, cause: seq, loop, &step) }
  }

  private func mutate(
    _ action: R.Action, cause: Seq, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    let effect = reactor.mutate(action: action, state: loop.working.state)
    switch effect.core {
    case .single(let mutation): try give(mutation, cause: cause, loop, &step)
    case .values(let mutations):
      for mutation in mutations { try give(mutation, cause: cause, loop, &step) }
    case .stream: try begin(effect, cause: cause, loop, &step)
    }
  }

  /// Takes `mutation` through `transform(mutation:)` to `reduce`.
  private func give(
    _ mutation: R.Mutation, cause: Seq, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    guard let pipeline = loop.mutations, pipeline.push(mutation, cause: cause) else {
      return try reduce(mutation, cause: cause, loop, &step)
    }
    try reduceOutputs(loop, &step)
  }

  /// Begins `effect`, reduces what it gives at once, and logs whether it goes on.
  private func begin(
    _ effect: Effect<R.Mutation>, cause: Seq, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    let run = EffectRun(cause: cause, loop: self)
    step.begun.append(run)
    let (outbox, mutations) = (outbox, loop.mutations)
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
    if let outcome = try reduceOutputs(loop, &step) {
      step.ended.append((run, outcome))
      if case .failed(let error) = outcome { try logFailure(error, cause: cause, loop, &step) }
    } else {
      step.goingOn.append(run)
      try goOn(cause, loop)
    }
  }

  private static func end(_ run: EffectRun, _ outcome: EffectOutcome, _ outbox: Outbox<R>) {
    if run.scope.cancel() { outbox.append(.end(run, outcome)) }
  }

  /// Reduces what effects and transforms just gave.
  /// - Returns: how the effect ended, if it did.
  @discardableResult
  private func reduceOutputs(
    _ loop: Loop<R>, _ step: inout Step<R>
  ) throws -> EffectOutcome? {
    var end: EffectOutcome?
    for decision in decisions(from: outbox.drain(), loop) {
      switch decision {
      case .mutation(let mutation, let cause): try reduce(mutation, cause: cause, loop, &step)
      case .mutate(let action, let cause):
        try mutate(action, cause: cause ?? .zero, loop, &step)
      case .end(_, let outcome): end = outcome
      case .accept, .retry, .replayed, .drop: break
      }
    }
    return end
  }

  /// Notes that a part of the effect of `cause` goes on, and logs the first one.
  private func goOn(_ cause: Seq, _ loop: Loop<R>) throws {
    if loop.working.open[cause] != nil {
      loop.working.open[cause]?.parts += 1
      return
    }
    loop.working.open[cause] = Working.OpenEffect(parts: 1)
    try log(.pending, cause: cause, encoded(PendingPayload(owner: owner.owner)), loop)
  }

  /// Notes the end of a part of the effect of `cause`, and logs that of the last one.
  private func endPart(
    of cause: Seq, _ outcome: EffectOutcome, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    guard var open = loop.working.open[cause] else { return }
    open.endPart(outcome)
    loop.working.open[cause] = open.parts > 0 ? open : nil
    guard open.parts <= 0 else { return }
    switch open.outcome {
    case .completed: try log(.completed, cause: cause, Self.noPayload, loop)
    case .cancelled: try log(.cancelled, cause: cause, Self.noPayload, loop)
    case .failed(let error): try logFailure(error, cause: cause, loop, &step)
    }
  }

  private func logFailure(
    _ error: any Error, cause: Seq, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    try log(.failed, cause: cause, encoded(FailedPayload(error)), loop)
    step.issues.append(.effectFailed(cause: cause, error: error))
  }

  private func reduce(
    _ mutation: R.Mutation, cause: Seq, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    loop.payload.removeAll(keepingCapacity: true)
    do {
      try codec.encode(mutation, into: &loop.payload)
    } catch {
      let type = String(describing: R.Mutation.self)
      let issue = SessionError.unencodable(type: type, reason: "\(error)")
      step.issues.append(.mutationDropped(cause: cause, error: issue))
      return
    }
    try log(.mutation, cause: cause, loop.payload, loop)
    reactor.reduce(state: &loop.working.state, mutation: mutation)
    if step.isObserved { step.states.append((loop.working.state, cause)) }
  }

  private func reduceIfItChanges(
    _ mutation: R.Mutation, _ loop: Loop<R>, _ step: inout Step<R>
  ) throws {
    var changed = loop.working.state
    reactor.reduce(state: &changed, mutation: mutation)
    if encoded(changed) == encoded(loop.working.state) { return }
    try reduce(mutation, cause: .zero, loop, &step)
  }

  private func log(
    _ kind: EventKind, cause: Seq, _ payload: [UInt8], delivery: Delivery? = nil,
    _ loop: Loop<R>
  ) throws {
    guard let seq = loop.working.version.advanced(by: 1) else {
      throw EventStoreError.sessionFull(info.name.rawValue)
    }
    loop.scratch.append(
      EventHeader(seq: seq, kind: kind, cause: cause, recordedAt: loop.working.recordedAt),
      payload: payload, delivery: delivery)
    loop.working.version = seq
  }

  private static var noPayload: [UInt8] { Array("{}".utf8) }

  /// The JSON of our own payloads and, for comparison, of states.
  private func encoded(_ value: some Encodable) -> [UInt8] {
    (try? codec.encode(value)) ?? Self.noPayload
  }
}
