import EventStoreCore

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
