import EventStoreCore
import Synchronization

/// What waits to be taken up by the loop.
enum Input<R: Reactor>: Sendable {
  case action(AcceptedAction<R>)
  /// A signal of a running effect or a relay.
  case signal(EffectScope, @Sendable () -> Void)
  /// Something of the session's own.
  case script([Decision<R>])
  /// States on their way through `transform(state:)`.
  case publish([(state: R.State, cause: Seq)])
  /// The session is closing.
  case cancelEffects
}

/// What effects and transforms gave while one input was taken up.
enum Output<R: Reactor>: Sendable {
  case action(R.Action, cause: Seq)
  case mutation(R.Mutation, cause: Seq)
  case end(EffectRun, EffectOutcome)
}

/// The outputs of the moment. Written and emptied only on the loop; the lock is what lets sinks,
/// which are sendable, refer to it.
final class Outbox<R: Reactor>: Sendable {
  private let outputs = Mutex<[Output<R>]>([])

  func append(_ output: Output<R>) { outputs.withLock { $0.append(output) } }

  func drain() -> [Output<R>] {
    outputs.withLock { outputs in
      defer { outputs.removeAll(keepingCapacity: true) }
      return outputs
    }
  }
}

/// What the loop works on: the state ahead of the store, and room to write steps in.
///
/// `@unchecked Sendable` because exactly one thread uses it at a time: the one that took it out of
/// `SessionCore.loop`, under the session's lock, and puts it back there when it is done. Being an
/// object, it changes hands without a second reference to the state, which would make every
/// `reduce` copy what it touches.
final class Loop<R: Reactor>: @unchecked Sendable {
  var working: Working<R.State>
  var scratch = EventBatch()
  var payload: [UInt8] = []
  var actions: Pipeline<R.Action>?
  var mutations: Pipeline<R.Mutation>?
  var states: Pipeline<R.State>?
  /// Where actions have moved to that `transform(action:)` may still hold under their first seq.
  var moved: [Seq: Seq] = [:]

  init(working: Working<R.State>) { self.working = working }

  /// Takes note that actions were decided again elsewhere in the log.
  func note(moves: [Seq: Seq]) {
    moved = moved.mapValues { moves[$0] ?? $0 }.merging(moves) { first, _ in first }
  }
}

/// Everything of a session that threads share, under one lock.
struct SessionCore<R: Reactor> {
  var inbox = Queue<Input<R>>()
  /// Actions that a sequential session keeps back while an effect goes on.
  var keptBack = Queue<AcceptedAction<R>>()
  /// nil while a thread is working with it.
  var loop: Loop<R>?
  /// Set when the writer has found a conflict and needs the loop.
  var handOver: (@Sendable (Loop<R>) -> Void)?
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
  /// Whether published states pass `transform(state:)` first.
  var transformsStates = false
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
    if !effectsGoOn, let action = keptBack.popFirst() { return .action(action) }
    while let input = inbox.popFirst() {
      guard case .action(let action) = input, effectsGoOn else { return input }
      keptBack.append(action)
    }
    return nil
  }

  /// Adds a decided step to the open batch.
  mutating func add(_ step: Step<R>, _ loop: Loop<R>, base: Version, limit: Int) {
    var batch = open.take() ?? Batch(base: base)
    batch.add(step, loop.scratch)
    undurable += Backlog(steps: 1, bytes: loop.scratch.byteCount)
    open = batch
    if batch.isFull(limit: limit) { seal(loop) }
  }

  /// Closes the open batch: what it amounts to is what the loop has reached.
  mutating func seal(_ loop: Loop<R>) {
    guard var batch = open.take() else { return }
    batch.after = loop.working
    sealed.append(batch)
  }

  /// Seals what an idle writer could take.
  /// - Returns: whether the writer has to be woken.
  mutating func sealForIdleWriter(_ loop: Loop<R>) -> Bool {
    guard !isWriting, failure == nil else { return false }
    if sealed.isEmpty { seal(loop) }
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
    case .room:
      return undurable.isSmall && inbox.count + keptBack.count < CommitLimits.events
    case .flushed: return isFlushed
    case .idle:
      return isFlushed && keptBack.isEmpty && running.isEmpty
        && (loop?.working.open.isEmpty ?? false)
    case .beyond(let seq): return published.version > seq || isClosed
    }
  }

  private var isFlushed: Bool {
    inbox.isEmpty && loop != nil && open == nil && sealed.isEmpty && !isWriting
  }
}
