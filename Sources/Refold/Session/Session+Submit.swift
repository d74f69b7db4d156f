import EventStoreCore

// The way in of an action. In most sessions nothing transforms actions, and the loop is idle when
// one comes: the sender's thread then decides it at once, into the open batch.
extension Session {
  /// Accepts `action`, whose accepted bytes are `payload`.
  ///
  /// - Parameters:
  ///   - reply: told once, on the writer queue, when the action's first commit is durable, or of
  ///     the error that kept it out.
  /// - Returns: whether there is room for another one; else the sender waits for `.roomForActions`.
  @discardableResult
  package func submit(
    _ action: R.Action, payload: RawSpan, delivery: Delivery? = nil,
    sender: ActionSender = .outside, reply: Reply
  ) -> Bool {
    if core.withLock({ $0.takeTurn() }) {
      do {
        return endTurn(
          try decide(
            action, payload: payload, delivery: delivery, cause: sender.cause, reply: reply))
      } catch {
        tell(reply, .failure(error))
        fail(error)
        drain()
        return true
      }
    }
    let accepted = AcceptedAction<R>(
      action, payload: payload.withUnsafeBytes { Array($0) }, delivery: delivery, sender: sender,
      reply: reply)
    take(.action(accepted))
    return core.withLock { $0.hasRoomForActions }
  }

  /// Adds the step that was decided at once to the open batch, and leaves the loop, unless
  /// something came meanwhile.
  /// - Returns: whether there is room for another action.
  private func endTurn(_ step: Step) -> Bool {
    workspace.add(step)
    let end = core.withLock { core -> EndOfTurn in
      let wake = admit(workspace.backlogOfStep, &core)
      guard core.failure == nil, core.handOver == nil, core.inbox.isEmpty else {
        return .loopGoesOn(wake: wake)
      }
      core.leaveLoop(effectsGoOn: workspace.effectsGoOn)
      return .left(wake: wake, core.readyWaiters(), hasRoom: core.hasRoomForActions)
    }
    switch end {
    case .left(let wake, let ready, let hasRoom):
      if wake { wakeWriter() }
      for resume in ready { resume() }
      return hasRoom
    case .loopGoesOn(let wake):
      if wake { wakeWriter() }
      drain()
      return core.withLock { $0.hasRoomForActions }
    }
  }

  private enum EndOfTurn {
    case left(wake: Bool, [@Sendable () -> Void], hasRoom: Bool)
    case loopGoesOn(wake: Bool)
  }

  /// As `submit`, with a closure to reply to.
  package func submit(
    _ action: R.Action, payload: [UInt8], delivery: Delivery? = nil,
    reply: @escaping @Sendable (Result<Receipt, any Error>) -> Void
  ) {
    submit(action, payload: payload.span.bytes, delivery: delivery, reply: .call(reply))
  }

  /// Tells a sender what became of its action.
  func tell(_ reply: Reply, _ result: Result<Receipt, any Error>) {
    switch (reply, result) {
    case (.nobody, _): break
    case (.call(let call), _): call(result)
    case (.number(let number), .success(let receipt)):
      options.onAcknowledged?([Acknowledgement(number: number, receipt: receipt)])
    case (.number(let number), .failure(let error)): options.onRefused?(number, error)
    }
  }
}

/// That an action is durable, for the sender who gave it a number.
package struct Acknowledgement: Sendable {
  /// The sender's number.
  package let number: Int
  /// What became of the action.
  package let receipt: Receipt

  /// Of these parts.
  package init(number: Int, receipt: Receipt) { (self.number, self.receipt) = (number, receipt) }
}
