import EventStoreSQLite
import Refold
import RefoldTesting
import SampleReactors
import Testing

private typealias Profile = WritingExamples.Profile
private typealias ProfileReactor = WritingExamples.ProfileReactor
private typealias ProfileService = WritingExamples.ProfileService

/// The Swift code of docs/Testing.md, which runs.
@Suite("The examples of docs/Testing.md", .timeLimit(.minutes(5)))
struct TestingExamples {
  private struct Service: ProfileService {
    var answer: @Sendable () async throws -> Profile
    func profile() async throws -> Profile { try await answer() }
  }

  private struct Offline: Error, CustomStringConvertible {
    let description = "there is no connection"
  }

  @Test func reduce_is_a_function() {
    let reactor = CounterReactor()
    var state = reactor.initialState
    reactor.reduce(state: &state, mutation: .add(2))
    #expect(state.value == 2)
  }

  @Test func a_profile_is_loaded() async throws {
    let reactor = ProfileReactor(service: Service { Profile(name: "Mina") })
    try await withTestStore(reactor) { store in
      try await store.send(.refresh, mutations: [.setLoading(true)]) { $0.isLoading = true }
      try await store.receive(.setProfile(Profile(name: "Mina"))) {
        $0.profile = Profile(name: "Mina")
      }
      try await store.receive(.setLoading(false)) { $0.isLoading = false }
    }
  }

  @Test func a_refresh_that_fails_is_told_and_over() async throws {
    let reactor = ProfileReactor(service: Service { throw Offline() })
    try await withTestStore(reactor) { store in
      try await store.send(.refresh, mutations: [.setLoading(true)]) { $0.isLoading = true }
      try await store.receive(.setAlert("there is no connection"), .setLoading(false)) {
        $0.alert = "there is no connection"
        $0.isLoading = false
      }
    }
  }

  @Test func a_profile_that_is_there_is_renamed() async throws {
    let reactor = ProfileReactor(service: Service { throw Offline() })
    let there: [ProfileReactor.Mutation] = [.setProfile(Profile(name: "Mina"))]
    try await withTestStore(reactor, given: there, exhaustivity: .off) { store in
      try await store.send(.rename(to: "Noa")) { $0.profile?.name = "Noa" }
      #expect(store.state.isLoading == false)
    }
  }

  @Test func a_cancelled_refresh_gives_nothing_more() async throws {
    let reactor = ProfileReactor(
      service: Service {
        try await Task.sleep(for: .seconds(3600))
        return Profile(name: "late")
      })
    try await withTestStore(reactor) { store in
      try await store.send(.refresh, mutations: [.setLoading(true)]) { $0.isLoading = true }
      try await store.send(.cancel, mutations: [.setLoading(false)]) { $0.isLoading = false }
    }
  }

  @Test func a_screen_shows_the_state_and_sends_what_is_tapped() async throws {
    let stub = ReactorStub(CounterReactor())
    let screen = CounterScreen(counter: stub)
    stub.state.value = 7
    #expect(screen.title == "7")
    screen.tapPlus()
    #expect(stub.actions.count == 1)
  }

  @Test func what_was_recorded_still_holds() async throws {
    let comparison = try await replayMatches(CounterReactor(), log: "../Recorded/counted.log")
    #expect(comparison.actions > 0)
  }
}

protocol Counter: Sendable {
  var currentState: CounterReactor.State { get }
  var states: AsyncStream<CounterReactor.State> { get }
  func enqueue(_ action: CounterReactor.Action)
}

extension Session: Counter where R == CounterReactor {}

struct CounterScreen {
  let counter: any Counter

  var title: String { "\(counter.currentState.value)" }
  func tapPlus() { counter.enqueue(.increase(by: 1)) }
}

extension ReactorStub: Counter where R == CounterReactor {}
