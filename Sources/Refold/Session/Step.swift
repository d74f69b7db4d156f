import EventStoreCore

/// What is decided at one go, and committed together or not at all. Small, because most steps are
/// an action and what it gives at once; what some have besides lies in `details`.
struct Step: Sendable {
  /// The seq of the action that the step accepts; zero for none.
  var action: Seq
  /// The last seq after it.
  var lastSeq: Seq
  var eventCount: Int
  var reply: Reply
  /// Whether it accepts an action and nothing else, so that the action is all that is kept of it
  /// for deciding it again.
  var isPlain: Bool
  var details: StepDetails?

  /// Whether there is nothing to commit and nothing that waits for a commit. An effect that is
  /// begun again logs nothing of its own, and waits all the same.
  var isNothing: Bool { eventCount == 0 && details == nil }

  /// What the sender is told once the step is durable.
  var receipt: Receipt { Receipt(seq: action, version: lastSeq, runs: details?.begun ?? []) }

  func discard() {
    guard let details else { return }
    for run in details.begun { run.discard() }
  }
}

/// What only some steps have.
final class StepDetails: Sendable {
  /// The idempotent delivery that brought the action.
  let delivery: Delivery?
  /// The effects it began, which start once it is durable.
  let begun: [EffectRun]
  /// Those of them that go on after it.
  let goingOn: [EffectRun]
  /// The effects whose end it logs.
  let ended: [(run: EffectRun, outcome: EffectOutcome)]
  let issues: [SessionIssue]

  /// The details of a step that is decided; nil where it has none.
  init?(_ draft: StepDraft, issues: [SessionIssue], delivery: Delivery?) {
    if draft.begun.isEmpty, draft.ended.isEmpty, issues.isEmpty, delivery == nil { return nil }
    self.delivery = delivery
    begun = draft.begun
    goingOn = draft.goingOn
    ended = draft.ended
    self.issues = issues
  }
}

/// What is noted of a step while it is being decided.
struct StepDraft {
  /// The seq of the action that the step accepts; zero for none.
  var action = Seq.zero
  var begun: [EffectRun] = []
  var goingOn: [EffectRun] = []
  var ended: [(run: EffectRun, outcome: EffectOutcome)] = []
}
