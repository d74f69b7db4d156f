import EventStoreCore

/// A closed batch on its way to the writer, as what needs not know the reactor sees it.
protocol SealedBatch: AnyObject, Sendable {
  /// What the batch adds to the session's backlog.
  var backlog: SessionCore.Backlog { get }
}

/// Steps on their way to the store.
///
/// `@unchecked Sendable` because exactly one thread uses it at a time: the loop, which fills it
/// while it is the workspace's batch; then, handed over under the session's lock, the writer, which
/// hands it back empty under that lock.
final class Batch<R: Reactor>: SealedBatch, @unchecked Sendable {
  @exclusivity(unchecked) private(set) var steps: [Step] = []
  /// The actions of plain steps, in their order.
  @exclusivity(unchecked) var actions: [R.Action] = []
  /// What the mutation events decode to, in their order.
  @exclusivity(unchecked) var mutations: [R.Mutation] = []
  /// The scripts of steps that are not plain, by index.
  private(set) var scripts: [Int: [Decision<R>]] = [:]
  /// Whether a step has details or somebody waits for one: else the commit need not look at each.
  private(set) var hasDetails = false
  private(set) var hasReplies = false
  /// The events, once the batch is closed.
  var events = EventBatch()
  /// What the first event was decided on.
  var base = Version.zero
  /// What everything amounts to after the last step, once the batch is closed.
  var after: Progress?

  /// Adds a step whose events are logged; `script` is nil for a plain one.
  func add(_ step: Step, _ script: [Decision<R>]? = nil) {
    if let script { scripts[steps.count] = script }
    if step.details != nil { hasDetails = true }
    if case .nobody = step.reply {} else { hasReplies = true }
    steps.append(step)
  }

  var backlog: SessionCore.Backlog {
    SessionCore.Backlog(steps: steps.count, bytes: events.byteCount)
  }

  /// The script of each step, for deciding it again.
  func scriptsOfSteps() -> [[Decision<R>]] {
    var plain = actions.makeIterator()
    var start = 0
    return steps.indices.map { index in
      let step = steps[index]
      defer { start += step.eventCount }
      guard step.isPlain, let action = plain.next() else { return scripts[index] ?? [] }
      let event = events[start]
      let accepted = AcceptedAction<R>(
        action, payload: event.payload, delivery: event.delivery,
        sender: ActionSender(cause: event.header.cause, isTag: false), reply: step.reply)
      return [.accept(accepted, tag: nil)]
    }
  }

  /// Empties the batch, and keeps its memory for the next one.
  func removeAll() {
    steps.removeAll(keepingCapacity: true)
    actions.removeAll(keepingCapacity: true)
    mutations.removeAll(keepingCapacity: true)
    if !scripts.isEmpty { scripts = [:] }
    events.removeAll()
    (hasDetails, hasReplies, after) = (false, false, nil)
  }

  /// What is committed at a time: whole steps, within `CommitLimits` unless a single step is larger;
  /// nil stands for all of the batch.
  var portions: [Portion?] {
    if events.count <= CommitLimits.events, events.byteCount <= CommitLimits.bytes { return [nil] }
    var portions = [Portion(events: EventBatch(), steps: 0..<0)]
    var start = 0
    for index in steps.indices {
      let stepEvents = events.slice(start..<start + steps[index].eventCount)
      start += steps[index].eventCount
      if !portions[portions.count - 1].hasRoom(for: stepEvents) {
        portions.append(Portion(events: EventBatch(), steps: index..<index))
      }
      portions[portions.count - 1].add(stepEvents)
    }
    return portions
  }

  /// What goes into one commit.
  struct Portion {
    private(set) var events: EventBatch
    private(set) var steps: Range<Int>

    func hasRoom(for more: EventBatch) -> Bool {
      events.isEmpty
        || events.count + more.count <= CommitLimits.events
          && events.byteCount + more.byteCount <= CommitLimits.bytes
    }

    mutating func add(_ step: EventBatch) {
      events.append(contentsOf: step)
      steps = steps.lowerBound..<steps.upperBound + 1
    }
  }
}
