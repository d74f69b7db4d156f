import EventStoreCore

/// One thing that a step does. What a step does is kept as data, because it has to be done again
/// on another state when another process appended in between.
enum Decision<R: Reactor>: Sendable {
  /// Log the action. Where actions are not transformed, ask `mutate` about it too; where they are,
  /// it was pushed into the transform under `tag`.
  case accept(AcceptedAction<R>, tag: Seq?)
  /// Ask `mutate` about what comes of the action pushed under `tag`; nil stands for the action that
  /// this step accepts.
  case mutate(R.Action, tag: Seq?)
  /// Ask `mutate` again about what `transform(action:)` makes of a recorded action, under its old
  /// cause, unless its effect is no longer open with `pending` as its newest pending event.
  case retry([R.Action], cause: Seq, pending: Seq)
  /// Log the mutation and reduce it.
  case mutation(R.Mutation, cause: Seq)
  /// The same for a value that a relay replays on opening, and only if it changes the state.
  case replayed(R.Mutation)
  /// Log and reduce what the reactor makes of effects that earlier processes left, unless another
  /// process runs one by now.
  case recover
  /// Log how the effect of `run` ended.
  case end(EffectRun, EffectOutcome)
  /// Log that something failed because of the action pushed under `tag`; nil stands for the action
  /// that this step accepts.
  case fail(any Error, tag: Seq?)
  /// Log that an effect which an earlier process left behind is given up, unless it is no longer
  /// open with `pending` as its newest pending event.
  case drop(cause: Seq, pending: Seq)
}
