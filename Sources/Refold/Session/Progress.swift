import EventStoreCore

/// How far a session has got, its state left out: with that, everything that deciding changes. Kept
/// so that it can be gone back to.
struct Progress: Sendable {
  var version: Version
  var recordedAt: Timestamp
  /// The effects of this session object that go on, by the seq of their action.
  var open: [Seq: OpenEffect] = [:]
  /// The newest pending event of each effect that others run, or left behind, by the seq of its
  /// action.
  var openElsewhere: [Seq: Seq] = [:]

  struct OpenEffect: Sendable {
    /// More than one only where `transform(action:)` made several actions of one.
    var parts = 1
    /// Whether a pending event names this session as its owner.
    var isPending = true
    var outcome = EffectOutcome.completed

    mutating func endPart(_ end: EffectOutcome) {
      parts -= 1
      note(end)
    }

    /// Takes note of how something that belongs to it ended: an error outweighs a cancellation, and
    /// the first error the later ones.
    mutating func note(_ end: EffectOutcome) {
      switch (outcome, end) {
      case (.failed, _), (_, .completed), (.cancelled, .cancelled): break
      case (.completed, _), (.cancelled, .failed): outcome = end
      }
    }
  }
}
