import EventStoreCore

/// An action as it was accepted, and whom to tell when it is durable.
struct AcceptedAction<R: Reactor>: Sendable {
  let action: R.Action
  /// The exact bytes that the log keeps.
  let payload: [UInt8]
  let delivery: Delivery?
  /// The action whose effect sent it, `Seq.zero` for input.
  let cause: Seq
  let reply: @Sendable (Result<Receipt, any Error>) -> Void
}

/// One thing that a step does. What a step does is kept as data, because it has to be done again
/// on another state when another process appended in between.
enum Decision<R: Reactor>: Sendable {
  /// Log the action. Where actions are not transformed, ask `mutate` about it too.
  case accept(AcceptedAction<R>)
  /// Ask `mutate`; nil stands for the action that this step accepts.
  case mutate(R.Action, cause: Seq?)
  /// Ask `mutate` about a recorded action again, under its old cause and pending event.
  case retry(R.Action, cause: Seq)
  /// Log the mutation and reduce it.
  case mutation(R.Mutation, cause: Seq)
  /// The same for a value that a relay replays on opening, and only if it changes the state.
  case replayed(R.Mutation)
  /// Log how the effect of `run` ended.
  case end(EffectRun, EffectOutcome)
  /// Log that an effect which an earlier process left behind is given up.
  case drop(interrupted: Seq)
}

/// How the effect of an action ended.
public enum EffectOutcome: Sendable {
  /// By itself; also said of an action whose effect gave everything at once.
  case completed
  /// By its cancellation id, or by the session closing.
  case cancelled
  /// With an error that nobody caught.
  case failed(any Error)
}

/// What is decided at one go, and committed together or not at all.
struct Step<R: Reactor>: Sendable {
  let script: [Decision<R>]
  /// Whether states are kept for observers.
  let isObserved: Bool
  /// The seq of the action that the step accepts.
  var action: Seq?
  /// The last seq after it.
  var lastSeq = Seq.zero
  var eventCount = 0
  /// The effects it began, which start once it is durable.
  var begun: [EffectRun] = []
  /// Those of them that go on after it.
  var goingOn: [EffectRun] = []
  /// The effects whose end it logs.
  var ended: [(run: EffectRun, outcome: EffectOutcome)] = []
  /// The states after each mutation and the cause of that, where somebody observes them.
  var states: [(state: R.State, cause: Seq)] = []
  var issues: [SessionIssue] = []

  init(script: [Decision<R>], isObserved: Bool) {
    self.script = script
    self.isObserved = isObserved
  }

  var accepted: AcceptedAction<R>? {
    if case .accept(let accepted) = script.first { return accepted }
    return nil
  }

  /// Whether there is nothing to commit and nothing that waits for a commit. An effect that is
  /// begun again logs nothing of its own, and waits all the same.
  var isNothing: Bool { eventCount == 0 && begun.isEmpty && ended.isEmpty }

  func discard() {
    for run in begun { run.discard() }
  }
}

/// Everything that deciding changes, as one value, so that it can be kept and gone back to.
struct Working<State: Sendable>: Sendable {
  var state: State
  var version: Version
  var recordedAt: Timestamp
  /// The effects of this session object that go on, by the seq of their action.
  var open: [Seq: OpenEffect] = [:]

  struct OpenEffect: Sendable {
    /// More than one only where `transform(action:)` made several actions of one.
    var parts = 1
    var outcome = EffectOutcome.completed

    mutating func endPart(_ end: EffectOutcome) {
      parts -= 1
      switch (outcome, end) {
      case (.failed, _), (_, .completed), (.cancelled, .cancelled): break
      case (.completed, _), (.cancelled, .failed): outcome = end
      }
    }
  }
}

/// Steps on their way to the store.
struct Batch<R: Reactor>: Sendable {
  private(set) var steps: [Step<R>] = []
  private(set) var events = EventBatch()
  /// What the first event was decided on.
  let base: Version
  /// What everything amounts to after the last step; set when the batch is closed.
  var after: Working<R.State>?

  init(base: Version) { self.base = base }

  mutating func add(_ step: Step<R>, _ stepEvents: EventBatch) {
    steps.append(step)
    events.append(contentsOf: stepEvents)
  }

  /// What the batch adds to the session's backlog.
  var backlog: SessionCore<R>.Backlog {
    SessionCore<R>.Backlog(steps: steps.count, bytes: events.byteCount)
  }

  /// Whether another step may not fit into one commit with these.
  func isFull(limit: Int) -> Bool {
    steps.count >= limit || events.count >= CommitLimits.events
      || events.byteCount >= CommitLimits.bytes
  }

  /// The events in the portions that are committed: whole steps, within `CommitLimits` unless a
  /// single step is larger.
  var portions: [EventBatch] {
    if events.count <= CommitLimits.events, events.byteCount <= CommitLimits.bytes {
      return [events]
    }
    var portions: [EventBatch] = []
    var portion = EventBatch()
    var start = 0
    for step in steps {
      let stepEvents = events.slice(start..<start + step.eventCount)
      start += step.eventCount
      let fits =
        portion.count + stepEvents.count <= CommitLimits.events
        && portion.byteCount + stepEvents.byteCount <= CommitLimits.bytes
      if !fits, !portion.isEmpty {
        portions.append(portion)
        portion.removeAll()
      }
      portion.append(contentsOf: stepEvents)
    }
    return portions + [portion]
  }
}
