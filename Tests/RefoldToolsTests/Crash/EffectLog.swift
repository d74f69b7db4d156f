import EventStoreCore
import EventStoreTesting

/// What a log says of effects, held to the rules of the model: an effect goes on from its pending
/// event to exactly one end, and only what goes on gives mutations.
struct EffectLog {
  /// The actions that came from outside, in order.
  private(set) var actions: [Event] = []
  /// The actions whose effects have no end yet.
  private(set) var open: Set<Seq> = []
  /// How each effect that went on has ended.
  private(set) var ends: [Seq: EventKind] = [:]
  /// The effects that were taken over, and how often.
  private(set) var retries = 0

  init(_ log: RecordedLog) throws {
    var step = Seq.zero
    for event in log.events {
      let (cause, kind) = (event.header.cause, event.header.kind)
      switch kind {
      case .action:
        step = event.header.seq
        if cause == .zero { actions.append(event) }
      case .mutation:
        try require(
          cause == .zero || cause == step || open.contains(cause),
          "\(event) comes of an effect that does not go on")
      case .pending:
        try require(ends[cause] == nil, "\(event) comes after its effect's end")
        if !open.insert(cause).inserted { retries += 1 }
      case .completed, .cancelled, .failed:
        try require(ends[cause] == nil, "\(event) is a second end")
        let isOpen = open.remove(cause) != nil
        try require(
          isOpen || (kind == .failed && cause == step), "\(event) ends what did not go on")
        ends[cause] = kind
      }
    }
    try require(
      Set(log.open.map(\.cause)) == open,
      "the store has \(log.open.map(\.cause)) for open, and the log \(open)")
  }
}
