import Refold
import RefoldTesting

/// A reactor whose actions are programs, and whose state tells what was reduced, in which order.
struct SimulatedReactor: Reactor {
  struct Action: Codable, Sendable, Hashable {
    /// No two actions of a simulation have the same one.
    var id: Int
    /// What `EffectProgram` is made from.
    var seed: UInt64
    var size: Int
    /// The id of the action whose effect sent it.
    var parent: Int?

    var program: EffectProgram {
      EffectProgram(seed: seed, size: size, sends: parent == nil)
    }
  }

  struct Mutation: Codable, Sendable, Hashable {
    /// That of its action; 0 for what a relay said.
    var action: Int
    var leaf: Int
    var index: Int
    /// The hash of the state that `mutate` was given; 0 for a relay.
    var decidedOn: Int
  }

  struct State: Codable, Sendable, Hashable {
    var count = 0
    /// Of all mutations, in their order.
    var hash = 0
    /// Whether it has passed `transform(state:)`; never so in the log.
    var isShown = false

    mutating func add(_ mutation: Mutation) {
      var bits = UInt64(bitPattern: Int64(hash))
      for part in [mutation.action, mutation.leaf, mutation.index, mutation.decidedOn] {
        bits = (bits ^ UInt64(bitPattern: Int64(part))) &* 0x9e37_79b9_7f4a_7c15
        bits ^= bits >> 29
      }
      (count, hash) = (count + 1, Int(bits >> 24))
    }
  }

  /// What a simulation chooses about its reactor.
  struct Shape: Hashable, Sendable {
    /// Whether `transform(action:)` drops some actions and makes two of others.
    var transformsActions = false
    /// Whether `transform(mutation:)` merges the relay.
    var mergesRelay = false
    /// Whether `transform(state:)` marks states.
    var marksStates = false

    /// Whether the session decides under the store's lock.
    var decidesUnderLock: Bool { mergesRelay || marksStates }
  }

  static var name: String { "simulated" }
  let initialState = State()
  let shape: Shape
  let clock: TestClock
  let relay: BehaviorRelay<Int>
  /// Called in `mutate` with the action's id: other things happen meanwhile.
  let meanwhile: @Sendable (Int) -> Void
  /// Sends an action of the effect of the action with this id.
  let send: @Sendable (Int) -> Void

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    meanwhile(action.id)
    let (id, decidedOn) = (action.id, state.hash)
    return action.program.effect(on: clock) { [send] in send(id) }
      .map { Mutation(action: id, leaf: $0.leaf, index: $0.index, decidedOn: decidedOn) }
  }

  func reduce(state: inout State, mutation: Mutation) { state.add(mutation) }

  func transform(action: Effect<Action>) -> Effect<Action> {
    guard shape.transformsActions else { return action }
    return action.flatMap { action in .from(Self.split(action)) }
  }

  /// What `transform(action:)` makes of `action`.
  static func split(_ action: Action) -> [Action] {
    if action.id % 7 == 3 { return [] }
    if action.id % 5 != 2 { return [action] }
    var second = action
    second.seed &+= 1
    return [action, second]
  }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    guard shape.mergesRelay else { return mutation }
    let told = relay.effect.map { Mutation(action: 0, leaf: 0, index: $0, decidedOn: 0) }
    return .merge(mutation, told)
  }

  func transform(state: Effect<State>) -> Effect<State> {
    guard shape.marksStates else { return state }
    return state.map { state in
      var marked = state
      marked.isShown = true
      return marked
    }
  }
}
