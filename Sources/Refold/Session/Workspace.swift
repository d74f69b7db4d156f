import EventStoreCore
import Foundation
import Synchronization

/// What the loop works on: the state ahead of the store, and the batch that it fills.
///
/// `@unchecked Sendable` because exactly one thread uses it at a time: the one that has made
/// `SessionCore.isIdle` false, under the session's lock, until it makes it true again; or one that
/// holds the lock while that is true.
final class Workspace<R: Reactor>: @unchecked Sendable {
  let log: _StepLog
  var batch = Batch<R>()
  /// Which thread is deciding a step, zero for none.
  private let thread = Atomic<UInt>(0)
  /// How many events and bytes the log had before the present step.
  private var start = (events: 0, bytes: 0)
  var actions: Pipeline<R.Action>?
  var mutations: Pipeline<R.Mutation>?
  var states: Pipeline<R.State>?
  var held = HeldActions()
  /// What all events come to that are decided. It shares no storage with the durable state, so that
  /// `reduce` changes it in place.
  @exclusivity(unchecked) var state: R.State
  /// What remains of an effect that does not give everything at once, until it is begun.
  @exclusivity(unchecked) var rest: Effect<R.Mutation>?

  init(_ state: R.State, _ log: _StepLog) {
    self.state = state
    self.log = log
  }

  /// Whether effects of this session go on after what is decided.
  var effectsGoOn: Bool { !log.progress.open.isEmpty }

  /// Notes where the events of the next step begin.
  func beginStep(at now: Timestamp) {
    if batch.steps.isEmpty { batch.base = log.progress.version }
    if log.progress.recordedAt < now { log.progress.recordedAt = now }
    start = (log.events.count, log.events.byteCount)
    thread.store(pthread_self(), ordering: .relaxed)
  }

  /// How many events the step has by now.
  var eventsOfStep: Int { log.events.count - start.events }

  /// What the step adds to what lies between the loop and the store.
  var backlogOfStep: SessionCore.Backlog {
    SessionCore.Backlog(steps: 1, bytes: log.events.byteCount - start.bytes)
  }

  /// Adds the step whose events are logged; `script` is nil for a plain one.
  func add(_ step: Step, _ script: [Decision<R>]? = nil) { batch.add(step, script) }

  /// Whether another step may not fit into one commit with those of the batch.
  func isFull(limit: Int) -> Bool {
    batch.steps.count >= limit || log.events.count >= CommitLimits.events
      || log.events.byteCount >= CommitLimits.bytes
  }

  /// Takes note that a step has ended, whose events are all logged.
  func endStep() { thread.store(0, ordering: .relaxed) }

  /// Whether the calling thread is deciding a step, so that it is the reactor that calls. Of all
  /// that is here, this alone may be asked by anyone.
  var isDecidedByCaller: Bool { thread.load(ordering: .relaxed) == pthread_self() }

  /// Closes the batch: what it amounts to is what the loop has reached.
  ///
  /// - Parameter next: an empty batch, to be filled from now on.
  func close(next: Batch<R>) -> Batch<R> {
    let closed = batch
    closed.after = log.progress
    swap(&closed.events, &log.events)
    swap(&log.events, &next.events)
    batch = next
    return closed
  }
}
