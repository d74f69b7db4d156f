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
  var transformMutation: (@Sendable (Effect<Mutation>) -> Effect<Mutation>)?
  /// Called inside `reduce`.
  var onReduce: (@Sendable (Mutation) -> Void)?
  /// Whether mutations leave anything in the state.
  var keepsTexts = true

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

  func reduce(state: inout State, mutation: Mutation) {
    onReduce?(mutation)
    if keepsTexts { state.texts.append(mutation.text) }
  }

  func transform(action: Effect<Action>) -> Effect<Action> { transformAction?(action) ?? action }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    let transformed = transformMutation?(mutation) ?? mutation
    return outside.map { .merge(transformed, $0) } ?? transformed
  }

  func transform(state: Effect<State>) -> Effect<State> { transformState?(state) ?? state }
}

extension Effect<ProbeReactor.Mutation> {
  static func text(_ text: String) -> Self { .just(ProbeReactor.Mutation(text: text)) }
}

/// Something that went wrong on purpose.
struct ProbeError: Error, Equatable {}
