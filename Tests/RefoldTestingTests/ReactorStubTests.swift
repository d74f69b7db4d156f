import Refold
import RefoldTesting
import Testing

@Suite("A stub", .timeLimit(.minutes(5)))
struct ReactorStubTests {
  @Test func records_actions_and_does_nothing_with_them() async throws {
    let stub = ReactorStub(LoadingReactor(fetch: { throw ProfileError.offline }))
    stub.enqueue(.load)
    try await stub.send(.rename(to: "A"))
    try #require(stub.actions.count == 2)
    if case .rename(let name) = stub.actions[1] { #expect(name == "A") }
    #expect(stub.currentState.user == nil)
    #expect(!stub.currentState.isLoading)
  }

  @Test func shows_observers_the_state_that_the_test_sets() async throws {
    let stub = ReactorStub(LoadingReactor())
    var states = stub.states.makeAsyncIterator()
    #expect(await states.next()?.user == nil)
    stub.state.user = "A"
    #expect(await states.next()?.user == "A")
    stub.update {
      $0.user = "B"
      $0.isLoading = true
    }
    let state = await states.next()
    #expect(state?.user == "B")
    #expect(state?.isLoading == true)
    var late = stub.states.makeAsyncIterator()
    #expect(await late.next()?.user == "B")
    stub.finish()
    #expect(await states.next() == nil)
    #expect(await late.next() == nil)
  }

  @Test func an_observer_that_is_slow_skips_to_the_newest_state() async throws {
    let stub = ReactorStub(LoadingReactor())
    var states = stub.states.makeAsyncIterator()
    for name in ["A", "B", "C"] { stub.state.user = name }
    #expect(await states.next()?.user == "C")
  }

  @Test func ends_its_streams_when_it_goes() async throws {
    var stub: ReactorStub? = ReactorStub<LoadingReactor>(state: LoadingReactor.State(user: "A"))
    var states = try #require(stub).states.makeAsyncIterator()
    #expect(await states.next()?.user == "A")
    stub = nil
    #expect(await states.next() == nil)
  }
}
