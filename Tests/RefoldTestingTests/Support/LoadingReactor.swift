import Refold

/// A screen that loads a profile: what the tests of the test store run.
struct LoadingReactor: Reactor {
  enum Action: Codable, Sendable {
    case load
    case rename(to: String)
    case watch
    case stop
    case alert(String)
    case nothing
  }

  enum Mutation: Codable, Sendable {
    case setLoading(Bool)
    case setUser(String)
    case setAlert(String)
  }

  /// Not Equatable, on purpose.
  struct State: Codable, Sendable {
    var isLoading = false
    var user: String?
    var history: [String] = []
    @Pulse var alert: String?
  }

  private enum CancelID: Hashable, Sendable { case watching }

  let initialState = State()
  /// Answers `load`.
  var fetch: @Sendable () async throws -> String = { "Mina" }
  /// Answers `watch`.
  var names: @Sendable () -> Effect<String> = { .never }
  /// Merged from outside.
  var outside: Effect<Mutation>?

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .load:
      .concat(
        .just(.setLoading(true)), .task { [fetch] in .setUser(try await fetch()) },
        .just(.setLoading(false)))
    case .rename(let name): name.isEmpty ? .fail(ProfileError.noName) : .just(.setUser(name))
    case .watch: names().map { .setUser($0) }.cancellable(id: CancelID.watching)
    case .stop: .cancel(id: CancelID.watching)
    case .alert(let text): .just(.setAlert(text))
    case .nothing: .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setUser(let user):
      state.user = user
      state.history.append(user)
    case .setAlert(let text): state.alert = text
    }
  }

  func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    outside.map { .merge(mutation, $0) } ?? mutation
  }
}

enum ProfileError: Error, CustomStringConvertible {
  case noName
  case offline

  var description: String {
    switch self {
    case .noName: "a profile needs a name"
    case .offline: "there is no connection"
    }
  }
}

/// A gate that a test opens by hand: what effects of tests wait for instead of sleeping.
actor Gate {
  private var isOpen = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  func open() {
    isOpen = true
    for waiter in waiters { waiter.resume() }
    waiters = []
  }

  /// Returns when the gate is open, whatever becomes of the calling task.
  func wait() async {
    if isOpen { return }
    await withCheckedContinuation { waiters.append($0) }
  }
}
