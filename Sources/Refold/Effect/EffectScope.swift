import EventStoreCore
import Synchronization

/// What runs effects: a session, or a stand-in in tests.
protocol EffectLoop: AnyObject, Sendable {
  /// Runs `body` on the loop after what is already waiting there, unless `scope` is cancelled by
  /// then; at once when the loop is idle.
  func enqueue(in scope: EffectScope, _ body: @escaping @Sendable () -> Void)

  /// Returns when the loop is not too far ahead of the store: what a fast producer waits for
  /// between two values, so that memory stays bounded.
  func room() async

  /// The effects that can be cancelled by id.
  var cancellations: CancellationRegistry { get }

  /// Counts running tasks, so that closing can wait for them.
  var tasks: TaskCounter { get }

  /// What runs the tasks of effects; nil for the cooperative pool.
  var executor: (any TaskExecutor)? { get }

  /// Told of mistakes in the use of effects, such as a value sent after the end.
  func report(_ issue: SessionIssue)
}

extension EffectLoop {
  var executor: (any TaskExecutor)? { nil }
}

/// A cancellable stretch of a running effect. Scopes form a tree: cancelling one cancels all below.
///
/// Operators begin their upstreams in child scopes; leaves ask the scope to start what takes time
/// and to deliver what it gives.
@usableFromInline
final class EffectScope: Sendable {
  /// The running effect that this scope is part of.
  let run: EffectRun
  /// The seq of the action that elements beginning here come from: that of the run, or of the
  /// element that an operator has begun this part for.
  let cause: Seq
  private let parent: EffectScope?
  private let state = Mutex(State())

  private struct State {
    var isCancelled = false
    var cancellers: [Int: @Sendable () -> Void] = [:]
    var nextCanceller = 0
    var holds = 0
    var parked: [@Sendable () -> Void] = []
    var cancelledBeforeBegin: Set<CancellationID> = []
  }

  init(run: EffectRun, cause: Seq, parent: EffectScope?) {
    self.run = run
    self.cause = cause
    self.parent = parent
  }

  /// Whether this scope or one around it was cancelled or has ended.
  var isCancelled: Bool { state.withLock { $0.isCancelled } }

  /// A scope inside this one, which keeps it until it is cancelled. Cancel it when its effect has
  /// ended.
  ///
  /// - Parameter cause: that of the element which the child is begun for, where there is one.
  func child(cause: Seq? = nil) -> EffectScope {
    let child = EffectScope(run: run, cause: cause ?? self.cause, parent: self)
    let token = onCancel { child.cancel() }
    child.onCancel { [weak self] in self?.removeCanceller(token) }
    return child
  }

  /// Calls `canceller` when this scope is cancelled; at once if it already is.
  @discardableResult
  func onCancel(_ canceller: @escaping @Sendable () -> Void) -> Int {
    let token: Int? = state.withLock { state in
      if state.isCancelled { return nil }
      state.nextCanceller += 1
      state.cancellers[state.nextCanceller] = canceller
      return state.nextCanceller
    }
    guard let token else {
      canceller()
      return 0
    }
    return token
  }

  private func removeCanceller(_ token: Int) {
    state.withLock { _ = $0.cancellers.removeValue(forKey: token) }
  }

  /// Stops everything below: no signal leaves this scope any more. Ending is the same thing.
  /// - Returns: false where it had been cancelled or had ended before.
  @discardableResult
  func cancel() -> Bool {
    let cancellers: [Int: @Sendable () -> Void]? = state.withLock { state in
      if state.isCancelled { return nil }
      state.isCancelled = true
      state.parked = []
      defer { state.cancellers = [:] }
      return state.cancellers
    }
    guard let cancellers else { return false }
    for token in cancellers.keys.sorted() { cancellers[token]?() }
    return true
  }

  /// Makes parts under `id` that begin in this scope later end at once as cancelled.
  func cancelBeforeBegin(_ id: CancellationID) {
    state.withLock { _ = $0.cancelledBeforeBegin.insert(id) }
  }

  /// Whether `cancelBeforeBegin` named `id` here or in a scope around this one.
  func wasCancelledBeforeBegin(_ id: CancellationID) -> Bool {
    state.withLock { $0.cancelledBeforeBegin.contains(id) }
      || (parent?.wasCancelledBeforeBegin(id) ?? false)
  }

  /// Starts what takes time: once the first step of the action is durable, at once afterwards.
  func start(_ body: @escaping @Sendable () -> Void) {
    run.start { [self] in
      if !isCancelled { body() }
    }
  }

  /// Brings a signal from outside, a task or a relay, onto the loop.
  func deliver(_ body: @escaping @Sendable () -> Void) {
    run.loop.enqueue(in: self, body)
  }

  /// Runs `work` as a task that this scope's cancellation cancels. An action that the task sends
  /// has this effect's action as its cause.
  func spawn(_ work: @escaping @Sendable () async -> Void) {
    let tasks = run.loop.tasks
    tasks.enter()
    // Of no action are the runs of transforms, whose elements bear tags.
    let sender = ActionSender(cause: cause, isTag: run.cause == .zero && cause != .zero)
    let context = CauseContext(loop: ObjectIdentifier(run.loop), sender: sender)
    let task = CauseContext.$current.withValue(context) {
      Task(executorPreference: run.loop.executor) {
        await work()
        tasks.leave()
      }
    }
    onCancel { task.cancel() }
  }
}

// Values of an effect that is being cancelled wait behind the commit that cancels it.
extension EffectScope {
  /// Makes signals wait until `release`.
  func hold() { state.withLock { $0.holds += 1 } }

  /// Undoes one `hold`; the last one sends the waiting signals on, unless they were cancelled.
  func release() {
    let parked: [@Sendable () -> Void] = state.withLock { state in
      state.holds -= 1
      guard state.holds == 0 else { return [] }
      defer { state.parked = [] }
      return state.parked
    }
    // Behind the first step of the run, where that is not durable yet: it may be decided again.
    for body in parked { run.start { [self] in deliver(body) } }
  }

  /// Keeps `body` for `release` if this scope or one around it is held.
  /// - Returns: whether it was kept.
  func parkIfHeld(_ body: @escaping @Sendable () -> Void) -> Bool {
    let parked = state.withLock { state in
      if state.holds > 0 { state.parked.append(body) }
      return state.holds > 0
    }
    return parked || (parent?.parkIfHeld(body) ?? false)
  }
}

/// Which session an effect's code runs for, and because of which action.
struct CauseContext: Sendable {
  /// The session's identity: a seq means nothing in another session.
  let loop: ObjectIdentifier
  let sender: ActionSender

  @TaskLocal static var current: CauseContext?
}
