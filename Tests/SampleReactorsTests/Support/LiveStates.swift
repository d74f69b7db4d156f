import Refold
import Synchronization
import Testing

/// A reactor that does what another does, and keeps the encoded state after each mutation of its
/// one session, in order. Nobody else may write to that session: then each decision is final.
final class LiveStates<R: Reactor>: Reactor {
  typealias Action = R.Action
  typealias Mutation = R.Mutation
  typealias State = R.State

  private let reactor: R
  private let seen = Mutex(Seen())

  private struct Seen {
    var isOpening = true
    var steps: [(before: [UInt8], after: [UInt8])] = []
  }

  init(_ reactor: R) { self.reactor = reactor }

  static var name: String { R.name }
  static var schemaVersion: Int { R.schemaVersion }
  static var exampleActions: [R.Action] { R.exampleActions }
  var initialState: R.State { reactor.initialState }

  /// The states so far.
  var afterEachMutation: [[UInt8]] { seen.withLock { $0.steps.map(\.after) } }

  func mutate(action: R.Action, state: R.State) -> Effect<R.Mutation> {
    // The first action is decided after all that comes of opening.
    seen.withLock { $0.isOpening = false }
    return reactor.mutate(action: action, state: state)
  }

  func reduce(state: inout R.State, mutation: R.Mutation) {
    let before = encoded(state)
    reactor.reduce(state: &state, mutation: mutation)
    let after = encoded(state)
    seen.withLock { seen in
      if seen.isOpening {
        // What a transform gives on opening is tried first, and again where it changes the state;
        // where it does not, it is not in the log.
        if before == after { return }
        if seen.steps.last?.before == before { seen.steps.removeLast() }
      }
      seen.steps.append((before, after))
    }
  }

  /// The fold of what is durable: the same mutations once more.
  func _fold(_ mutations: [R.Mutation], _ range: Range<Int>, state: inout R.State) {
    reactor._fold(mutations, range, state: &state)
  }

  private func encoded(_ state: R.State) -> [UInt8] {
    do {
      return try EventCodec().encode(state)
    } catch {
      Issue.record("a state cannot be encoded: \(error)")
      return []
    }
  }

  func transform(action: Effect<R.Action>) -> Effect<R.Action> { reactor.transform(action: action) }

  func transform(mutation: Effect<R.Mutation>) -> Effect<R.Mutation> {
    reactor.transform(mutation: mutation)
  }

  func transform(state: Effect<R.State>) -> Effect<R.State> { reactor.transform(state: state) }
}
