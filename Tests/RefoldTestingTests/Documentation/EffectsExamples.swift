import EventStoreCore
import Refold
import RefoldTesting
import Testing

/// The Swift code of docs/Effects.md, and what docs/Testing.md tests of it, which runs.
@Suite("The examples of docs/Effects.md", .timeLimit(.minutes(5)))
struct EffectsExamples {
  protocol SearchAPI: Sendable {
    func search(_ keyword: String) async throws -> [String]
  }

  struct SearchReactor: Reactor {
    enum Action: Codable, Sendable { case search(String) }

    enum Mutation: Codable, Sendable {
      case setLoading(Bool)
      case setResults([String])
      case setError(String)
    }

    struct State: Codable, Sendable {
      var isLoading = false
      var results: [String] = []
      @Pulse var error: String?
    }

    private enum CancelID: Hashable, Sendable { case search }

    let initialState = State()
    let api: any SearchAPI
    let clock: any Clock<Duration>

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .search(let keyword):
        .concat(
          .just(.setLoading(true)),
          .callAPI {
            .setResults(try await api.search(keyword))
          } onError: { error in
            .just(.setError("\(error)"))
          },
          .just(.setLoading(false))
        )
        .cancellable(id: CancelID.search, cancelInFlight: true)
      }
    }

    func transform(action: Effect<Action>) -> Effect<Action> {
      action.debounce(.milliseconds(300), clock: clock)
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setResults(let results): state.results = results
      case .setError(let error): state.error = error
      }
    }
  }

  private struct Echo: SearchAPI {
    func search(_ keyword: String) async throws -> [String] { ["about \(keyword)"] }
  }

  @Test func a_search_begins_when_typing_pauses() async throws {
    let clock = TestClock()
    try await withTestStore(SearchReactor(api: Echo(), clock: clock)) { store in
      try await store.send(.search("sw"))
      await clock.advance(by: .milliseconds(299), settling: store.session)
      try await store.send(.search("swift"))
      await clock.advance(by: .milliseconds(299), settling: store.session)
      #expect(store.session.currentState.results.isEmpty)
      await clock.advance(by: .milliseconds(1), settling: store.session)
      try await store.receive(
        .setLoading(true), .setResults(["about swift"]), .setLoading(false)
      ) {
        $0.results = ["about swift"]
      }
    }
  }

  @Test func time_is_moved_by_hand() async throws {
    let clock = TestClock()
    let session = try await Session.open(
      SearchReactor(api: Echo(), clock: clock), named: "search", in: InMemoryEventStore())
    try await session.send(.search("swift"))
    await clock.advance(by: .milliseconds(300), settling: session)
    #expect(session.currentState.results == ["about swift"])
    try await session.close()
  }
}
