import Refold
import RefoldTesting
import Testing

/// The Swift code of docs/GettingStarted.md, which runs.
@Suite("The examples of docs/GettingStarted.md", .timeLimit(.minutes(5)))
struct GettingStartedExamples {
  @Test func clearing_leaves_nothing() async throws {
    try await withTestStore(ShoppingListReactor(), given: [.append("Tea")]) { store in
      try await store.send(.clear, mutations: [.removeAll]) { $0.titles = [] }
      try await store.send(.clear)
    }
  }

  @Test func what_was_recorded_still_holds() async throws {
    try await replayMatches(ShoppingListReactor(), log: "../Recorded/s1.log")
  }
}

/// What docs/GettingStarted.md makes of the package that `init` writes.
///
/// Things to remember, and suggestions that take a while to come.
private struct ShoppingListReactor: Reactor {
  enum Action: Codable, Sendable {
    case add(title: String)
    case remove(title: String)
    case clear
    case suggest
  }

  enum Mutation: Codable, Sendable {
    case append(String)
    case remove(String)
    case removeAll
    case setSuggesting(Bool)
    case setError(String)
  }

  struct State: Codable, Sendable {
    var titles: [String] = []
    var isSuggesting = false
    @Pulse var error: String?
  }

  private enum CancelID: Hashable, Sendable { case suggesting }

  static var name: String { "shopping-list" }
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
    case .clear: state.titles.isEmpty ? .empty : .just(.removeAll)
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
    case .removeAll: state.titles = []
    case .setSuggesting(let isSuggesting): state.isSuggesting = isSuggesting
    case .setError(let error): state.error = error
    }
  }
}
