import EventStoreCore

/// Steps on their way to the store.
struct Batch<R: Reactor>: Sendable {
  private(set) var steps: [Step<R>] = []
  /// How many events each step has.
  private var sizes: [Int] = []
  /// Whether a step has states for observers, or effects that begin or end: seldom, so that the
  /// commit need not look at each step for them.
  private(set) var hasStates = false
  private(set) var hasEffects = false
  private(set) var events = EventBatch()
  /// What the first event was decided on.
  let base: Version
  /// What everything amounts to after the last step; set when the batch is closed.
  var after: Working<R.State>?

  init(base: Version) { self.base = base }

  mutating func add(_ step: Step<R>, _ stepEvents: EventBatch) {
    steps.append(step)
    sizes.append(step.eventCount)
    if !step.states.isEmpty { hasStates = true }
    if !step.begun.isEmpty || !step.ended.isEmpty { hasEffects = true }
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
  var portions: [Portion] {
    if events.count <= CommitLimits.events, events.byteCount <= CommitLimits.bytes {
      return [Portion(events: events, steps: sizes)]
    }
    var portions = [Portion()]
    var start = 0
    for step in steps {
      let stepEvents = events.slice(start..<start + step.eventCount)
      start += step.eventCount
      if !portions[portions.count - 1].hasRoom(for: stepEvents) { portions.append(Portion()) }
      portions[portions.count - 1].events.append(contentsOf: stepEvents)
      portions[portions.count - 1].steps.append(step.eventCount)
    }
    return portions
  }

  /// What goes into one commit.
  struct Portion {
    var events = EventBatch()
    /// How many events each step has.
    var steps: [Int] = []

    func hasRoom(for more: EventBatch) -> Bool {
      events.isEmpty
        || events.count + more.count <= CommitLimits.events
          && events.byteCount + more.byteCount <= CommitLimits.bytes
    }
  }
}
