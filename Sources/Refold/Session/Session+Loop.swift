import EventStoreCore

// The loop: inputs are taken up one at a time, each to the end of its step.
extension Session: EffectLoop {
  func enqueue(in scope: EffectScope, _ body: @escaping @Sendable () -> Void) {
    take(.signal(scope, body))
  }

  func report(_ issue: SessionIssue) { options.onIssue?(issue) }

  func room() async { await wait(for: .room) }

  /// Queues `input`, and works on the queue unless another thread does.
  func take(_ input: Input<R>) {
    let admission = core.withLock { core -> Admission in
      if let refusal = refusal(of: input, core) { return .refused(refusal) }
      core.inbox.append(input)
      if core.decidesUnderLock { return core.wakeIdleWriter() ? .forWriter : .queued(nil) }
      return .queued(core.workspace.take())
    }
    switch admission {
    case .queued(nil): break
    case .queued(let workspace?): drain(workspace)
    case .forWriter: wakeWriter()
    case .refused(let error):
      if case .action(let action) = input { action.reply(.failure(error)) }
    }
  }

  private enum Admission {
    case queued(Workspace<R>?)
    case forWriter
    case refused(any Error)
  }

  private func refusal(of input: Input<R>, _ core: SessionCore<R>) -> (any Error)? {
    if let failure = core.failure {
      return SessionError.stopped(session: info.name.rawValue, reason: failure)
    }
    if core.isClosing, case .action = input {
      return SessionError.closed(session: info.name.rawValue)
    }
    return nil
  }

  /// Takes up inputs until none is left, then puts the workspace back.
  func drain(_ workspace: Workspace<R>) {
    while let input = next(workspace) { takeUp(input, workspace) }
  }

  /// The next input; nil when the workspace was put back or handed over.
  private func next(_ workspace: Workspace<R>) -> Input<R>? {
    var receiver: (@Sendable (Workspace<R>) -> Void)?
    let next = core.withLock { core -> NextStep in
      receiver = core.handOver.take()
      if receiver != nil { return .handOver }
      let effectsGoOn = !workspace.working.open.isEmpty
      let input = core.nextInput(sequential: options.isSequential, effectsGoOn: effectsGoOn)
      if let input { return .input(input) }
      let wake = core.sealForIdleWriter(workspace)
      core.workspace = workspace
      return .idle(wake: wake, core.readyWaiters())
    }
    switch next {
    case .input(let input): return input
    case .handOver: receiver?(workspace)
    case .idle(let wake, let ready):
      if wake { wakeWriter() }
      for resume in ready { resume() }
    }
    return nil
  }

  private enum NextStep {
    case input(Input<R>)
    case idle(wake: Bool, [@Sendable () -> Void])
    case handOver
  }

  private func takeUp(_ input: Input<R>, _ workspace: Workspace<R>) {
    settle(script(for: input, workspace), workspace)
  }

  /// What `input` asks to be decided.
  func script(for input: Input<R>, _ workspace: Workspace<R>) -> [Decision<R>] {
    switch input {
    case .action(let action): return script(for: action, workspace)
    case .script(let script): return script
    case .signal(let scope, let body):
      if scope.isCancelled || scope.parkIfHeld(body) { return [] }
      body()
      return decisions(from: outbox.drain(), workspace)
    case .cancelEffects: return cancelEffects(workspace)
    }
  }

  /// Takes `state` through `transform(state:)` to observers.
  func push(_ state: R.State, cause: Seq, _ workspace: Workspace<R>) {
    if workspace.states?.push(state, cause: cause) != true { publish(state, cause: cause) }
  }

  private func script(for accepted: AcceptedAction<R>, _ workspace: Workspace<R>) -> [Decision<R>] {
    guard let pipeline = workspace.actions else { return [.accept(accepted)] }
    let seq = workspace.working.version.advanced(by: 1) ?? .max
    guard pipeline.push(accepted.action, cause: seq) else {
      return [.accept(accepted), .mutate(accepted.action, cause: nil)]
    }
    let transformed = decisions(from: outbox.drain(), workspace).map { decision -> Decision<R> in
      if case .mutate(let action, seq) = decision { return .mutate(action, cause: nil) }
      if case .fail(let error, seq) = decision { return .fail(error, cause: nil) }
      return decision
    }
    return [.accept(accepted)] + transformed
  }

  /// What the outputs of effects and transforms come to.
  func decisions(from outputs: [Output<R>], _ workspace: Workspace<R>) -> [Decision<R>] {
    outputs.map { output in
      switch output {
      case .action(let action, let cause): .mutate(action, cause: workspace.present(cause))
      case .mutation(let mutation, let cause): .mutation(mutation, cause: cause)
      case .end(let run, let outcome): .end(run, outcome)
      case .failed(let error, let cause): .fail(error, cause: cause)
      }
    }
  }

  /// Decides `script`, and adds what comes out to the open batch.
  @discardableResult
  func settle(_ script: [Decision<R>], _ workspace: Workspace<R>) -> Step<R>? {
    if script.isEmpty { return nil }
    let base = workspace.working.version
    do {
      let step = try decide(script, workspace)
      if step.isNothing { return nil }
      let wake = core.withLock { core -> Bool? in
        if core.failure != nil { return nil }
        core.add(step, workspace, base: base, limit: max(1, options.actionsPerCommit))
        return core.sealForIdleWriter(workspace)
      }
      guard let wake else {
        // A commit failed while this step was being decided.
        step.discard()
        step.accepted?.reply(.failure(stoppedError))
        return nil
      }
      if wake { wakeWriter() }
      return step
    } catch {
      if case .accept(let accepted) = script.first { accepted.reply(.failure(error)) }
      stop(error)
      return nil
    }
  }

  /// Cancels what goes on, and gives back what was kept behind it: for closing.
  private func cancelEffects(_ workspace: Workspace<R>) -> [Decision<R>] {
    let (running, keptBack, closeTransforms) = core.withLock { core in
      (Array(core.running.values), core.keptBack.removeAll(), core.closeTransforms)
    }
    closeTransforms()
    let closed = SessionError.closed(session: info.name.rawValue)
    for accepted in keptBack { accepted.reply(.failure(closed)) }
    return running.sorted { $0.cause < $1.cause }.compactMap { run in
      run.scope.cancel() ? .end(run, .cancelled) : nil
    }
  }
}

extension Session {
  /// What senders are told once a commit has failed.
  private var stoppedError: SessionError {
    let name = info.name.rawValue
    guard let reason = core.withLock({ $0.failure }) else { return .closed(session: name) }
    return .stopped(session: name, reason: reason)
  }

  /// Gives `state` to observers; what they enqueue has `cause` as its cause.
  func publish(_ state: R.State, cause: Seq) {
    let context = CauseContext(loop: ObjectIdentifier(self), cause: cause)
    CauseContext.$current.withValue(context) { observers.publish(state) }
  }
}

// Waiting.
extension Session {
  /// What a caller can wait for.
  package enum WaitCondition: Sendable {
    /// The loop is not far ahead of the store: what effects wait for between two values.
    case room
    /// That, and not many actions are kept back behind an effect: what senders of actions wait for.
    case roomForActions
    /// Everything accepted is durable.
    case flushed
    /// That, and no effect goes on.
    case idle
    /// An event after this one is durable, or none will follow.
    case beyond(Seq)
  }

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
