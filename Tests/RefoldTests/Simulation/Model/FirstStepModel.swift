import EventStoreCore
import EventStoreTesting

/// What the first step of an action has to log, all of it in the commit of the action.
struct FirstStepModel {
  enum Expected: Equatable {
    case mutation(SimulatedReactor.Mutation)
    case mark(EventKind)
  }

  let seq: Seq
  /// What is still to come; nil where the model cannot tell.
  private var rest: ArraySlice<Expected>?

  /// - Parameters:
  ///   - parts: what `transform(action:)` made of the action.
  ///   - state: that before it.
  init(seq: Seq, parts: [SimulatedReactor.Action], state: SimulatedReactor.State) {
    self.seq = seq
    if parts.contains(where: { $0.program.cancelsAround() }) { return }
    var expected: [Expected] = []
    var state = state
    var (isPending, hasFailed) = (false, false)
    for part in parts {
      let step = part.program.firstStep
      let decidedOn = state.hash
      for element in step.elements {
        let mutation = SimulatedReactor.Mutation(
          action: part.id, leaf: element.leaf, index: element.index, decidedOn: decidedOn)
        expected.append(.mutation(mutation))
        state.add(mutation)
      }
      if step.end == .failed { hasFailed = true }
      if step.end == .goesOn, !isPending {
        expected.append(.mark(.pending))
        isPending = true
      }
    }
    if hasFailed, !isPending { expected.append(.mark(.failed)) }
    rest = expected[...]
  }

  /// Whether nothing more may come.
  var isOver: Bool { rest?.isEmpty ?? false }

  /// What did not come.
  var missing: String? { rest?.first.map { "\($0)" } }

  mutating func take(_ mutation: SimulatedReactor.Mutation) throws {
    try take(.mutation(mutation))
  }

  mutating func take(_ kind: EventKind) throws { try take(.mark(kind)) }

  private mutating func take(_ given: Expected) throws {
    guard let expected = rest?.first else { return }
    try require(given == expected, "the first step gave \(given) in place of \(expected)")
    rest?.removeFirst()
  }
}
