import Refold

/// Things to remember, and suggestions that take a while to come.
struct OwnPackageReactor: Reactor {
  enum Action: Codable, Sendable {
    case add(title: String)
    case remove(title: String)
    case suggest
  }

  enum Mutation: Codable, Sendable {
    case append(String)
    case remove(String)
    case setSuggesting(Bool)
    case setError(String)
  }

  struct State: Codable, Sendable {
    var titles: [String] = []
    var isSuggesting = false
    @Pulse var error: String?
  }

  private enum CancelID: Hashable, Sendable { case suggesting }

  static var name: String { "own-package" }
  static var exampleActions: [Action] { [.add(title: "Tea"), .remove(title: "Tea"), .suggest] }

  let initialState = State()
  /// Where suggestions come from: handed in, so that tests answer for it.
  var suggestion: @Sendable () async throws -> String = {
    try await Task.sleep(for: .milliseconds(100))
    return "Milk"
  }

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .add(let title): state.titles.contains(title) ? .empty : .just(.append(title))
    case .remove(let title): state.titles.contains(title) ? .just(.remove(title)) : .empty
    case .suggest:
      .concat(
        .just(.setSuggesting(true)),
        .task { [suggestion] in .append(try await suggestion()) }
          .catch { .just(.setError("\($0)")) },
        .just(.setSuggesting(false))
      ).cancellable(id: CancelID.suggesting, cancelInFlight: true)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .append(let title): state.titles.append(title)
    case .remove(let title): state.titles.removeAll { $0 == title }
    case .setSuggesting(let isSuggesting): state.isSuggesting = isSuggesting
    case .setError(let error): state.error = error
    }
  }
}
