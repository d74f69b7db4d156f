import EventStoreCore

/// What the loop, the writer and those who wait share, under one lock. It knows no reactor, so
/// that every action passes it quickly.
struct SessionCore {
  var inbox = Queue<Input>()
  /// Actions that a sequential session keeps back while an effect goes on.
  var keptBack = Queue<any Accepted>()
  /// Whether no thread is the loop: who makes this false is, and may use the workspace.
  var isIdle = false
  /// Whether effects went on when the loop was last left.
  var effectsGoOn = false
  /// Whether an action needs nothing but to be decided: no transform, no order to keep.
  var decidesAtOnce = false
  /// Set when the writer has found a conflict and needs to be the loop.
  var handOver: (@Sendable () -> Void)?
  /// The steps in the workspace's batch. The writer takes it next, unless `sealed` has older ones.
  var openSteps = 0
  var sealed = Queue<any SealedBatch>()
  /// Empty batches, for their memory.
  var spare: [any SealedBatch] = []
  var isWriting = false
  /// Steps decided and not durable yet, and the bytes of their events.
  var undurable = Backlog()
  /// What is durable.
  var published: Progress
  /// The effects that go on, durably.
  var running = RunningEffects()
  var waiters: [(condition: WaitCondition, resume: @Sendable () -> Void)] = []
  var isClosing = false
  var isClosed = false
  /// Whether the writer decides everything, under the store's lock; see `Session+Lockstep`.
  var decidesUnderLock = false
  /// Ends the transforms, and with them what they have running.
  var closeTransforms: @Sendable () -> Void = {}
  var failure: (any Error)?

  init(published: Progress) { self.published = published }

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

  /// Makes the caller the loop if an action can be decided at once.
  mutating func takeTurn() -> Bool {
    guard isIdle, decidesAtOnce, failure == nil, !isClosing else { return false }
    isIdle = false
    return true
  }

  /// Makes the caller the loop if nobody is.
  mutating func takeLoop() -> Bool {
    defer { isIdle = false }
    return isIdle
  }

  /// Leaves the loop.
  mutating func leaveLoop(effectsGoOn: Bool) {
    isIdle = true
    self.effectsGoOn = effectsGoOn
  }

  /// The next input that may be taken up now.
  mutating func nextInput(sequential: Bool, effectsGoOn: Bool) -> Input? {
    guard sequential else { return inbox.popFirst() }
    if !effectsGoOn, !isClosing, let action = keptBack.popFirst() { return .action(action) }
    while let input = inbox.popFirst() {
      guard case .action(let action) = input, effectsGoOn else { return input }
      keptBack.append(action)
    }
    return nil
  }

  /// Whether `nextInput` would give one.
  func hasInput(sequential: Bool, effectsGoOn: Bool) -> Bool {
    guard sequential else { return !inbox.isEmpty }
    return !inbox.isEmpty || (!effectsGoOn && !isClosing && !keptBack.isEmpty)
  }

  /// Where the writer decides: takes note that it works from now on.
  /// - Returns: whether it has to be woken.
  mutating func wakeIdleWriter() -> Bool {
    guard !isWriting, isIdle, failure == nil else { return false }
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

  func isTrue(_ condition: WaitCondition) -> Bool {
    if failure != nil { return true }
    switch condition {
    case .room: return undurable.isSmall && inbox.count < CommitLimits.events
    case .roomForActions: return hasRoomForActions
    case .flushed: return isFlushed
    case .idle: return isFlushed && keptBack.isEmpty && running.isEmpty && !effectsGoOn
    case .beyond(let seq): return published.version > seq || isClosed
    }
  }

  var hasRoomForActions: Bool {
    undurable.isSmall && inbox.count < CommitLimits.events && keptBack.count < CommitLimits.events
  }

  private var isFlushed: Bool {
    inbox.isEmpty && isIdle && openSteps == 0 && sealed.isEmpty && !isWriting
  }
}

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
