import EventStoreCore
import Refold

/// A reactor whose code a test changes between recording a session and going through it again.
struct TrialReactor: Reactor {
  enum Action: Codable, Sendable, Equatable {
    case add(Int)
    case double
    case load(String)
    case signIn(Secret<String>)
    case twice(Int)
  }

  enum Mutation: Codable, Sendable, Equatable {
    case added(Int)
    case setLoading(Bool)
    case loaded(String)
    case setUser(String)
  }

  struct State: Codable, Sendable, Equatable {
    var sum = 0
    var isLoading = false
    var texts: [String] = []
    var user: String?
  }

  static var name: String { "trial" }
  let initialState = State()
  /// What takes time in `load`.
  var load: @Sendable (String) -> Effect<Mutation> = { text in .task { .loaded(text) } }
  /// Instead of all the rest of `mutate`, where it answers.
  var decide: @Sendable (Action, State) -> Effect<Mutation>? = { _, _ in nil }
  /// What additions are multiplied by in `reduce`.
  var factor = 1
  var outside: Effect<Mutation>?

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    if let effect = decide(action, state) { return effect }
    switch action {
    case .add(let amount): return .just(.added(amount))
    case .twice(let amount): return .just(.added(amount))
    case .double: return state.sum == 0 ? .empty : .just(.added(state.sum))
    case .load(let text):
      if state.isLoading, text == "refused" { return .empty }
      return .concat(.just(.setLoading(true)), load(text), .just(.setLoading(false)))
    case .signIn(let token):
      return token.value == "right" ? .just(.setUser("mina")) : .just(.setUser("nobody"))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let amount): state.sum += amount * factor
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .loaded(let text): state.texts.append(text)
    case .setUser(let user): state.user = user
    }
  }

  /// `twice` becomes two actions.
  func transform(action: Effect<Action>) -> Effect<Action> {
    action.flatMap { action in
      if case .twice = action { .of(action, action) } else { .just(action) }
    }
  }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    outside.map { .merge(mutation, $0) } ?? mutation
  }
}

extension InMemoryEventStore {
  /// The session called `name`, recorded by `reactor` while `body` ran.
  func record(
    _ reactor: TrialReactor = TrialReactor(), named name: String = "s",
    options: SessionOptions = SessionOptions(),
    _ body: (Session<TrialReactor>) async throws -> Void
  ) async throws -> SessionInfo {
    let session = try await Session.open(reactor, named: name, in: self, options: options)
    try await body(session)
    try await session.close()
    return session.info
  }

  /// Appends events that no session wrote.
  func append(
    _ events: [(kind: EventKind, cause: UInt32, payload: String)], to session: SessionInfo
  ) throws {
    let tail = try tail(of: session.id)
    var batch = EventBatch()
    for (index, event) in events.enumerated() {
      let header = EventHeader(
        seq: tail.version.advanced(by: index + 1) ?? .max, kind: event.kind,
        cause: Seq(event.cause), recordedAt: tail.recordedAt)
      batch.append(header, payload: Array(event.payload.utf8))
    }
    try append(batch, to: session.id, expecting: tail.version, schemaVersion: 1)
  }
}
