import EventStoreCore

/// What `send` gives once an action is on disk.
public struct Receipt: Sendable {
  /// The action's seq; of an action delivered before, its first one.
  public let seq: Seq
  /// The session's version after the action's first step.
  public let version: Version
  /// Whether the action had been delivered before and was not executed again.
  public let isRepeated: Bool
  private let runs: [EffectRun]

  init(seq: Seq, version: Version, isRepeated: Bool = false, runs: [EffectRun] = []) {
    self.seq = seq
    self.version = version
    self.isRepeated = isRepeated
    self.runs = runs
  }

  /// How the whole effect ended, when its end is on disk. At once for an action whose effect gave
  /// everything in its first step.
  public var finished: EffectOutcome {
    get async {
      var working = Progress.OpenEffect(parts: runs.count)
      for run in runs { working.endPart(await run.outcome) }
      return working.outcome
    }
  }
}

/// An effect that the process which ran it left without an end.
public struct InterruptedEffect: Sendable {
  /// The action's seq.
  public let cause: Seq
  /// When its effect was logged as going on.
  public let since: Timestamp
  /// The event that said so.
  let pending: Seq
}
