import EventStoreCore

/// What the loop, the writer and those who wait share, under one lock.
struct SessionCore<R: Reactor> {
  var inbox = Queue<Input<R>>()
  /// Actions that a sequential session keeps back while an effect goes on.
  var keptBack = Queue<AcceptedAction<R>>()
  /// nil while a thread is working with it.
  var workspace: Workspace<R>?
  /// Set when the writer has found a conflict and needs the workspace.
  var handOver: (@Sendable (Workspace<R>) -> Void)?
  /// The steps that the writer takes next, unless `sealed` has older ones.
  var open: Batch<R>?
  var sealed = Queue<Batch<R>>()
  var isWriting = false
  /// Steps decided and not durable yet, and the bytes of their events.
  var undurable = Backlog()
  /// What is durable.
  var published: Working<R.State>
  /// The effects that go on, durably.
  var running: [ObjectIdentifier: EffectRun] = [:]
  var waiters: [(condition: Session<R>.WaitCondition, resume: @Sendable () -> Void)] = []
  var isClosing = false
  var isClosed = false
  /// Whether the writer decides everything, under the store's lock; see `Session+Lockstep`.
  var decidesUnderLock = false
  /// Ends the transforms, and with them what they have running.
  var closeTransforms: @Sendable () -> Void = {}
  var failure: (any Error)?

  /// How much lies between the loop and the store.
  struct Backlog {
    var steps = 0
    var bytes = 0

    /// Two commits, so that one can fill while the other is written.
    var isSmall: Bool { steps < 2 * CommitLimits.events && bytes < 2 * CommitLimits.bytes }

    static func += (left: inout Backlog, right: Backlog) {
      left.steps += right.steps
      left.bytes += right.bytes
    }

    static func -= (left: inout Backlog, right: Backlog) {
      left.steps -= right.steps
      left.bytes -= right.bytes
    }
  }

  /// The next input that may be taken up now.
  mutating func nextInput(sequential: Bool, effectsGoOn: Bool) -> Input<R>? {
    guard sequential else { return inbox.popFirst() }
    if !effectsGoOn, !isClosing, let action = keptBack.popFirst() { return .action(action) }
    while let input = inbox.popFirst() {
      guard case .action(let action) = input, effectsGoOn else { return input }
      keptBack.append(action)
    }
    return nil
  }

  /// Whether `nextInput` would give one.
  mutating func hasInput(sequential: Bool, effectsGoOn: Bool) -> Bool {
    guard sequential else { return !inbox.isEmpty }
    return !inbox.isEmpty || (!effectsGoOn && !isClosing && !keptBack.isEmpty)
  }

  /// Adds a decided step to the open batch.
  mutating func add(_ step: Step<R>, _ workspace: Workspace<R>, base: Version, limit: Int) {
    var batch = open.take() ?? Batch(base: base)
    batch.add(step, workspace.scratch)
    undurable += Backlog(steps: 1, bytes: workspace.scratch.byteCount)
    open = batch
    if batch.isFull(limit: limit) { seal(workspace) }
  }

  /// Closes the open batch: what it amounts to is what the loop has reached.
  mutating func seal(_ workspace: Workspace<R>) {
    guard var batch = open.take() else { return }
    batch.after = workspace.working
    sealed.append(batch)
  }

  /// Where the writer decides: takes note that it works from now on.
  /// - Returns: whether it has to be woken.
  mutating func wakeIdleWriter() -> Bool {
    guard !isWriting, workspace != nil, failure == nil else { return false }
    isWriting = true
    return true
  }

  /// Seals what an idle writer could take.
  /// - Returns: whether the writer has to be woken.
  mutating func sealForIdleWriter(_ workspace: Workspace<R>) -> Bool {
    guard !isWriting, failure == nil else { return false }
    if sealed.isEmpty { seal(workspace) }
    guard !sealed.isEmpty else { return false }
    isWriting = true
    return true
  }

  /// Takes out those who wait for what is now the case.
  mutating func readyWaiters() -> [@Sendable () -> Void] {
    guard !waiters.isEmpty else { return [] }
    let all = waiters
    waiters = all.filter { !isTrue($0.condition) }
    return all.filter { isTrue($0.condition) }.map(\.resume)
  }

  func isTrue(_ condition: Session<R>.WaitCondition) -> Bool {
    if failure != nil { return true }
    switch condition {
    case .room: return undurable.isSmall && inbox.count < CommitLimits.events
    case .roomForActions: return isTrue(.room) && keptBack.count < CommitLimits.events
    case .flushed: return isFlushed
    case .idle:
      return isFlushed && keptBack.isEmpty && running.isEmpty
        && (workspace?.working.open.isEmpty ?? false)
    case .beyond(let seq): return published.version > seq || isClosed
    }
  }

  private var isFlushed: Bool {
    inbox.isEmpty && workspace != nil && open == nil && sealed.isEmpty && !isWriting
  }
}
