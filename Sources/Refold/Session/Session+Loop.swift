import EventStoreCore

// The loop: inputs are taken up one at a time, each to the end of its step.
extension Session: EffectLoop {
  func enqueue(in scope: EffectScope, _ body: @escaping @Sendable () -> Void) {
    take(.signal(scope, body))
  }

  func report(_ issue: SessionIssue) { options.onIssue?(issue) }

  func room() async { await wait(for: .room) }

  var executor: (any TaskExecutor)? { options.execution.tasks }

  /// Queues `input`, and works on the queue unless another thread does.
  func take(_ input: Input) {
    let admission = core.withLock { core -> Admission in
      if let refusal = refusal(of: input, core) { return .refused(refusal) }
      core.inbox.append(input)
      if core.decidesUnderLock { return core.wakeIdleWriter() ? .forWriter : .queued }
      return core.takeLoop() ? .forCaller : .queued
    }
    switch admission {
    case .queued: break
    case .forCaller: drain()
    case .forWriter: wakeWriter()
    case .refused(let error):
      if case .action(let action) = input { tell(action.reply, .failure(error)) }
    }
  }

  private enum Admission {
    case queued
    case forCaller
    case forWriter
    case refused(any Error)
  }

  private func refusal(of input: Input, _ core: SessionCore) -> (any Error)? {
    if let failure = core.failure {
      return SessionError.stopped(session: info.name.rawValue, reason: failure)
    }
    if core.isClosing, case .action = input {
      return SessionError.closed(session: info.name.rawValue)
    }
    return nil
  }

  /// Takes up inputs until none is left, then leaves the loop. The caller is the loop.
  func drain() {
    while let input = next() { takeUp(input) }
  }

  /// The next input; nil when the loop was left or handed over.
  private func next() -> Input? {
    while true {
      let next = core.withLock { core -> NextStep in
        if let receiver = core.handOver.take() { return .handOver(receiver) }
        let effectsGoOn = workspace.effectsGoOn
        let input = core.nextInput(sequential: options.isSequential, effectsGoOn: effectsGoOn)
        if let input { return .input(input) }
        if core.failure != nil, core.openSteps > 0 { return .abandon }
        let wake = sealForIdleWriter(&core)
        core.leaveLoop(effectsGoOn: effectsGoOn)
        return .leave(wake: wake, core.readyWaiters())
      }
      switch next {
      case .input(let input): return input
      case .abandon:
        abandonOpenBatch()
        continue
      case .handOver(let receiver): receiver()
      case .leave(let wake, let ready):
        if wake { wakeWriter() }
        for resume in ready { resume() }
      }
      return nil
    }
  }

  private enum NextStep {
    case input(Input)
    case leave(wake: Bool, [@Sendable () -> Void])
    case handOver(@Sendable () -> Void)
    /// A commit has failed.
    case abandon
  }

  private func takeUp(_ input: Input) {
    if let accepted = plainAction(input) {
      do {
        keep(try decide(accepted))
      } catch {
        tell(accepted.reply, .failure(error))
        fail(error)
      }
    } else {
      settle(script(for: input))
    }
  }

  /// The action that `input` is, if nothing transforms it or its mutations.
  func plainAction(_ input: Input) -> AcceptedAction<R>? {
    guard case .action(let accepted) = input, workspace.actions == nil,
      workspace.mutations == nil
    else { return nil }
    return typed(accepted)
  }

  private func typed(_ accepted: any Accepted) -> AcceptedAction<R> {
    guard let accepted = accepted as? AcceptedAction<R> else {
      preconditionFailure("a session queues actions of its own reactor alone")
    }
    return accepted
  }

  /// What `input` asks to be decided.
  func script(for input: Input) -> [Decision<R>] {
    switch input {
    case .action(let accepted): return script(for: typed(accepted))
    case .script(let script): return (script as? ReactorScript<R>)?.decisions ?? []
    case .signal(let scope, let body):
      if scope.isCancelled || scope.parkIfHeld(body) { return [] }
      body()
      return decisions(from: outbox.drain())
    case .cancelEffects: return cancelEffects()
    }
  }

  /// Takes `state` through `transform(state:)` to observers.
  func push(_ state: R.State, cause: Seq) {
    guard let transform = workspace.states else { return publish(state, cause: cause) }
    if !transform.push(state, cause: cause) {
      publish(state, cause: cause, isTransformed: true)
    }
  }

  private func script(for accepted: AcceptedAction<R>) -> [Decision<R>] {
    guard let pipeline = workspace.actions else { return [.accept(accepted, tag: nil)] }
    let tag = workspace.held.tag(for: workspace.log.progress.version.advanced(by: 1) ?? .max)
    guard pipeline.push(accepted.action, cause: tag) else {
      return [.accept(accepted, tag: tag), .mutate(accepted.action, tag: nil)]
    }
    let transformed = decisions(from: outbox.drain()).map { decision -> Decision<R> in
      if case .mutate(let action, tag) = decision { return .mutate(action, tag: nil) }
      if case .fail(let error, tag) = decision { return .fail(error, tag: nil) }
      return decision
    }
    return [.accept(accepted, tag: tag)] + transformed
  }

  /// What the outputs of effects and transforms come to.
  func decisions(from outputs: [Output<R>]) -> [Decision<R>] {
    outputs.map { output in
      switch output {
      case .action(let action, let cause): .mutate(action, tag: cause)
      case .mutation(let mutation, let cause): .mutation(mutation, cause: cause)
      case .end(let run, let outcome): .end(run, outcome)
      case .failed(let error, let cause): .fail(error, tag: cause)
      }
    }
  }

  /// Decides `script`, and adds what comes out to the open batch.
  @discardableResult
  func settle(_ script: [Decision<R>]) -> Step? {
    if script.isEmpty { return nil }
    do {
      let step = try decide(script)
      return keep(step, script) ? step : nil
    } catch {
      if case .accept(let accepted, _) = script.first { tell(accepted.reply, .failure(error)) }
      fail(error)
      return nil
    }
  }

  /// Adds a decided step to the open batch.
  /// - Returns: false where there is nothing to add, or a commit has failed meanwhile.
  @discardableResult
  private func keep(_ step: Step, _ script: [Decision<R>]? = nil) -> Bool {
    if step.isNothing { return false }
    workspace.add(step, script)
    let (wake, hasFailed) = core.withLock { core in
      (admit(workspace.backlogOfStep, &core), core.failure != nil)
    }
    if hasFailed { abandonOpenBatch() }
    if wake { wakeWriter() }
    return !hasFailed
  }

  /// Takes note that a step was added to the workspace's batch.
  /// - Returns: whether the writer has to be woken.
  func admit(_ backlog: SessionCore.Backlog, _ core: inout SessionCore) -> Bool {
    core.openSteps += 1
    core.undurable += backlog
    if core.failure != nil { return false }
    if workspace.isFull(limit: max(1, options.actionsPerCommit)) { seal(&core) }
    return sealForIdleWriter(&core)
  }

  /// Closes the open batch, for the writer.
  func seal(_ core: inout SessionCore) {
    guard core.openSteps > 0 else { return }
    let next = core.spare.popLast() as? Batch<R> ?? Batch()
    core.sealed.append(workspace.close(next: next))
    core.openSteps = 0
  }

  /// Seals what an idle writer could take.
  /// - Returns: whether the writer has to be woken.
  private func sealForIdleWriter(_ core: inout SessionCore) -> Bool {
    guard !core.isWriting, core.failure == nil else { return false }
    if core.sealed.isEmpty { seal(&core) }
    guard !core.sealed.isEmpty else { return false }
    core.isWriting = true
    return true
  }

  /// Cancels what goes on, and gives back what was kept behind it: for closing.
  private func cancelEffects() -> [Decision<R>] {
    let (running, keptBack, closeTransforms) = core.withLock { core in
      (core.running.all, core.keptBack.removeAll(), core.closeTransforms)
    }
    // An effect of the batch that is being decided under the lock begins with its commit, and is cancelled
    // by the turn that follows that. What it gives until then has to pass its transform.
    let effectsBegin = workspace.batch.steps.contains { $0.details?.goingOn.isEmpty == false }
    if !effectsBegin || workspace.mutations == nil { closeTransforms() }
    let closed = SessionError.closed(session: info.name.rawValue)
    for accepted in keptBack { tell(accepted.reply, .failure(closed)) }
    return running.sorted { $0.cause < $1.cause }.compactMap { run in
      run.scope.cancel() ? .end(run, .cancelled) : nil
    }
  }
}

extension Session {
  /// Gives `state` to observers; what they enqueue has `cause` as its cause.
  ///
  /// - Parameter isTransformed: whether it is what `transform(state:)` came to.
  func publish(_ state: R.State, cause: Seq, isTransformed: Bool = false) {
    let context = CauseContext(
      loop: ObjectIdentifier(self), sender: ActionSender(cause: cause, isTag: false))
    CauseContext.$current.withValue(context) {
      durable.show(state, isTransformed: isTransformed)
    }
  }
}

// Waiting.
extension Session {
  /// Whether `condition` holds now, or the session has stopped.
  package func isTrue(_ condition: WaitCondition) -> Bool {
    core.withLock { $0.isTrue(condition) }
  }

  /// Calls `resume` once `condition` holds or the session has stopped; at once if so already.
  package func when(_ condition: WaitCondition, _ resume: @escaping @Sendable () -> Void) {
    let isTrue = core.withLock { core in
      if core.isTrue(condition) || Self.isGivenUp(condition) { return true }
      core.waiters.append((condition, resume))
      return false
    }
    if isTrue { resume() }
  }

  /// Whether a reader of events was cancelled before it began to wait.
  private static func isGivenUp(_ condition: WaitCondition) -> Bool {
    if case .beyond = condition { Task.isCancelled } else { false }
  }

  func wait(for condition: WaitCondition) async {
    await withCheckedContinuation { continuation in when(condition) { continuation.resume() } }
  }
}
