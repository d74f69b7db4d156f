import EventStoreCore

/// Where the actions are that `transform(action:)` may still hold.
///
/// An action is pushed into the transform under a tag, and what comes of it bears that, also when it
/// comes much later. The tag is the seq that the action gets, at first: where it is decided again
/// before it is durable it gets another seq, and its first one may go to another action. That one
/// needs a tag of its own then, or the two could not be told apart.
struct HeldActions {
  /// The seqs of those whose tag is another; nil for an action that turned out to be delivered before.
  private var places: [Seq: Seq?] = [:]
  private var aliases: UInt32 = 0

  /// The tag under which to push the action that gets `seq`.
  mutating func tag(for seq: Seq) -> Seq {
    if places.isEmpty || places[seq] == nil { return seq }
    // From the end of all seqs, which no log comes near.
    let alias = Seq(Seq.max.rawValue - aliases)
    aliases += 1
    places[alias] = .some(seq)
    return alias
  }

  /// The present seq of the action pushed under `tag`, zero for what came from outside any action;
  /// nil where the action is not executed.
  func seq(of tag: Seq) -> Seq? {
    if places.isEmpty { return tag }
    return places[tag] ?? tag
  }

  /// Takes note that the action pushed under `tag` is at `seq` now.
  mutating func place(_ tag: Seq, at seq: Seq) {
    if tag != seq {
      places[tag] = .some(seq)
    } else if !places.isEmpty {
      places.removeValue(forKey: tag)
    }
  }

  /// Takes note that the action pushed under `tag` was delivered before.
  mutating func drop(_ tag: Seq) { places[tag] = .some(nil) }
}
