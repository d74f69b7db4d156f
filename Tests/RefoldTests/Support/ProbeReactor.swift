import Refold

/// A reactor whose actions carry the effect to answer with: every behaviour of the loop can be
/// asked for from a test.
struct ProbeReactor: Reactor {
  /// What `Action.probe(name)` answers with; a name without an effect answers with `.just(name)`.
  var effects: @Sendable (String) -> Effect<Mutation>? = { _ in nil }
  /// What is merged into the mutations from outside.
  var outside: Effect<Mutation>?
  var transformAction: (@Sendable (Effect<Action>) -> Effect<Action>)?
  var transformState: (@Sendable (Effect<State>) -> Effect<State>)?

  enum Action: Codable, Sendable, Equatable {
    case probe(String)
  }

  struct Mutation: Codable, Sendable, Equatable {
    var text: String
  }

  struct State: Codable, Sendable, Equatable {
    var texts: [String] = []
  }

  static var name: String { "probe" }
  let initialState = State()

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .probe(let name): effects(name) ?? .just(Mutation(text: name))
    }
  }

  func reduce(state: inout State, mutation: Mutation) { state.texts.append(mutation.text) }

  func transform(action: Effect<Action>) -> Effect<Action> { transformAction?(action) ?? action }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    outside.map { .merge(mutation, $0) } ?? mutation
  }

  func transform(state: Effect<State>) -> Effect<State> { transformState?(state) ?? state }
}

extension Effect<ProbeReactor.Mutation> {
  static func text(_ text: String) -> Self { .just(ProbeReactor.Mutation(text: text)) }
}

/// Something that went wrong on purpose.
struct ProbeError: Error, Equatable {}
