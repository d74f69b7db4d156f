extension Session {
  /// Cancels running effects, waits for their cancellation, and commits what was accepted. Keeps a
  /// snapshot of the state where that is worth its space.
  ///
  /// - Throws: `SessionError.stopped` when a commit failed, now or before.
  public func close() async throws {
    core.withLock { $0.isClosing = true }
    // Cancelled first, so that busy effects do not keep the session from coming to rest; again for
    // those whose first step was not durable then.
    repeat {
      take(.cancelEffects)
      await wait(for: .flushed)
    } while core.withLock { $0.failure == nil && !$0.running.isEmpty }
    await tasks.wait()
    await wait(for: .flushed)
    // What a failed commit left open is interrupted now, also for who opens the session again while
    // this object is still there.
    ownerToken.withLock { $0 = nil }
    await saveClosingSnapshot()
    durable.finish()
    let ready = core.withLock { core in
      core.isClosed = true
      // The transforms refer to this session as their loop: without them it can be freed.
      core.closeTransforms = {}
      core.decidesAtOnce = false
      if core.isIdle {
        workspace.actions = nil
        workspace.mutations = nil
        workspace.states = nil
      }
      return core.readyWaiters()
    }
    for resume in ready { resume() }
    if let failure = core.withLock({ $0.failure }) {
      throw SessionError.stopped(session: info.name.rawValue, reason: failure)
    }
  }

  /// Keeps the durable state, where that is worth its space.
  ///
  /// Never throws: what goes wrong is reported, and nothing depends on a snapshot.
  private func saveClosingSnapshot() async {
    await snapshots.rest()
    let published = durable.value
    if core.withLock({ $0.failure != nil }) { return }
    do {
      try await options.execution.blocking { [snapshots] in
        try snapshots.close(published.state, at: published.version)
      }
    } catch {
      report(.snapshotFailed(error: error))
    }
  }
}
