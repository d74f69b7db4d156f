import EventStoreCore
import EventStoreTesting
import Refold

/// What the log of a simulated session may look like: each event is held to the rules as it comes,
/// and the state that it leads to is computed by other code than the session's.
struct LogModel {
  typealias Reactor = SimulatedReactor

  let shape: Reactor.Shape
  private let codec = EventCodec()
  private(set) var headers: [EventHeader] = []
  /// The state after each event, the initial one first.
  private(set) var states = [Reactor.State()]
  /// The hash of the state after each mutation, the initial one first.
  private(set) var hashes = [0]
  private(set) var actions: [Seq: RecordedAction] = [:]
  private var places: [Int: Seq] = [:]
  private var firstStep: FirstStepModel?
  /// Whether effects may be cancelled by something else than an action.
  var expectsCancellations = false

  init(_ shape: Reactor.Shape) { self.shape = shape }

  var version: Seq { headers.last?.seq ?? .zero }
  var state: Reactor.State { states[states.count - 1] }

  /// The seq of the action `id`.
  func seq(of id: Int) -> Seq? { places[id] }

  /// The effects without an end.
  var open: [RecordedAction] {
    actions.values.filter(\.isOpen).sorted { $0.seq < $1.seq }
  }

  /// Takes note that the effect of `cause` may be decided again after a crash.
  mutating func mayBeRetried(_ cause: Seq) { actions[cause]?.isRetried = true }

  /// Reads what is new in the log, which ends with a whole commit.
  /// - Throws: `BrokenPromise`; `EventStoreError`.
  mutating func read(_ session: SessionID, in store: any EventStore) throws {
    var page = EventBatch()
    while true {
      try store.read(session, after: version, through: .max, into: &page)
      if page.isEmpty { break }
      for event in page.events {
        do { try take(event) } catch let broken as BrokenPromise {
          throw BrokenPromise("event \(event.header.seq): \(broken)")
        }
      }
    }
    try endFirstStep()
  }

  private mutating func take(_ event: Event) throws {
    let header = event.header
    try require(header.seq == version.advanced(by: 1), "comes after \(version)")
    try require(
      headers.last.map { $0.recordedAt <= header.recordedAt } ?? true, "was recorded earlier")
    try require(
      header.cause == .zero || actions[header.cause] != nil,
      "has the cause \(header.cause), which is no earlier action")
    let isOfFirstStep = header.kind != .action && firstStep?.seq == header.cause
    if !isOfFirstStep { try endFirstStep() }
    var state = state
    switch header.kind {
    case .action: try takeAction(event)
    case .mutation:
      let mutation = try codec.decode(Reactor.Mutation.self, from: event.payload)
      try takeMutation(mutation, header, isOfFirstStep)
      state.add(mutation)
      hashes.append(state.hash)
    case .pending, .completed, .cancelled, .failed: try takeMark(header, isOfFirstStep)
    }
    headers.append(header)
    states.append(state)
    if firstStep?.isOver == true { firstStep = nil }
  }

  private mutating func takeAction(_ event: Event) throws {
    let action = try codec.decode(Reactor.Action.self, from: event.payload)
    let seq = event.header.seq
    try require(places[action.id] == nil, "action \(action.id) is there twice")
    let parent = action.parent.flatMap { places[$0] } ?? .zero
    try require(
      event.header.cause == parent, "has the cause \(event.header.cause), and was sent by \(parent)"
    )
    places[action.id] = seq
    let parts = shape.transformsActions ? Reactor.split(action) : [action]
    actions[seq] = RecordedAction(seq: seq, action: action, programs: parts.map(\.program))
    firstStep = FirstStepModel(seq: seq, parts: parts, state: state)
    let ids = Set(parts.compactMap(\.program.cancelledAtOnce))
    for (other, recorded) in actions where other != seq && recorded.isOpen {
      guard recorded.programs.count == 1, let id = recorded.programs[0].idOfAll else { continue }
      if ids.contains(id) { actions[other]?.isCancelled = true }
    }
  }

  private mutating func endFirstStep() throws {
    defer { firstStep = nil }
    if let missing = firstStep?.missing {
      throw BrokenPromise("the first step of action \(firstStep?.seq ?? .zero) lacks \(missing)")
    }
  }
}

// What comes of an action.
extension LogModel {
  private mutating func takeMutation(
    _ mutation: Reactor.Mutation, _ header: EventHeader, _ isOfFirstStep: Bool
  ) throws {
    if header.cause == .zero {
      return try require(
        mutation.action == 0 && shape.mergesRelay, "no relay says \(mutation)")
    }
    guard var action = actions[header.cause] else { return }
    try require(mutation.action == action.action.id, "is of another action, \(mutation.action)")
    if isOfFirstStep {
      try firstStep?.take(mutation)
      action.decidedOn.insert(mutation.decidedOn)
    } else {
      try require(action.isOpen, "comes behind the end of action \(header.cause): \(mutation)")
      let isRight =
        action.isRetried
        ? hashes.contains(mutation.decidedOn)
        : action.mayHaveDecided(on: mutation, states[Int(header.cause.rawValue) - 1])
      try require(isRight, "was decided on a state that the log never had: \(mutation)")
    }
    try require(
      !action.isCancelled || expectsCancellations,
      "comes behind the action that cancelled action \(header.cause)")
    action.given.append(ProgramElement(leaf: mutation.leaf, index: mutation.index))
    try action.checkOrder(isComplete: false)
    actions[header.cause] = action
  }

  private mutating func takeMark(_ header: EventHeader, _ isOfFirstStep: Bool) throws {
    guard var action = actions[header.cause] else {
      throw BrokenPromise("is a \(header.kind.name) of nothing")
    }
    if isOfFirstStep { try firstStep?.take(header.kind) }
    if header.kind == .pending {
      try require(!action.isOpen || action.isRetried, "an effect that goes on begins again")
      try require(isOfFirstStep || action.isRetried, "a pending behind the first step")
      action.isOpen = true
    } else {
      try require(action.isOpen || isOfFirstStep, "ends what has ended, or never went on")
      try action.checkEnd(header.kind, expectsCancellations)
      action.isOpen = false
      action.end = header.kind
    }
    actions[header.cause] = action
  }
}

/// An action of the log, and what has come of it.
struct RecordedAction {
  let seq: Seq
  let action: SimulatedReactor.Action
  /// More or less than one where a transform made that of it.
  let programs: [EffectProgram]
  var given: [ProgramElement] = []
  var isOpen = false
  var isRetried = false
  /// Whether an action has cancelled all of it.
  var isCancelled = false
  var end: EventKind?
  /// The hashes of the states that its first step was decided on.
  var decidedOn: Set<Int> = []

  /// Whether `mutation`, of a later step, was decided in the first one, before which there was
  /// `state`.
  func mayHaveDecided(
    on mutation: SimulatedReactor.Mutation, _ state: SimulatedReactor.State
  ) -> Bool {
    // The second action that a transform makes is decided on what the first one has given.
    mutation.decidedOn == state.hash || decidedOn.contains(mutation.decidedOn) || programs.count > 1
  }

  private var only: EffectProgram? {
    guard programs.count == 1, !isRetried, programs[0].keepsAll else { return nil }
    return programs[0]
  }

  func checkOrder(isComplete: Bool) throws {
    if let flaw = only?.flaw(in: given, isComplete: isComplete) {
      throw BrokenPromise("\(flaw): \(programs[0])")
    }
  }

  func checkEnd(_ kind: EventKind, _ expectsCancellations: Bool) throws {
    switch kind {
    case .completed:
      try checkOrder(isComplete: true)
      if let only, !only.isCancellable {
        try require(!only.mayNeverEnd, "what never ends has ended: \(only)")
      }
    case .failed:
      try require(programs.contains(where: \.mayFail), "failed, and cannot: \(programs)")
    default:
      try require(
        expectsCancellations || programs.contains(where: \.isCancellable),
        "was cancelled, and nothing cancels it: \(programs)")
    }
  }
}
