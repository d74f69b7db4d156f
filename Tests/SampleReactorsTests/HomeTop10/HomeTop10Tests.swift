import Refold
import SampleReactors
import Testing

@Suite("The ten most liked", .timeLimit(.minutes(5)))
struct HomeTop10Tests {
  private let market = StubMarket()

  @Test func are_recorded_under_the_name_that_people_know() {
    #expect(HomeTop10Reactor.name == "home-top10")
  }

  @Test func are_loading_then_there_then_not_loading() async throws {
    let screen = try await Screen.open(HomeTop10Reactor(market))
    try await screen.run(.fetchTop10Posts)
    #expect(
      try await screen.log() == [
        "1 action fetchTop10Posts", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setFetchCompleted", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(screen.state.posts.count == 10)
    #expect(!screen.state.isLoading)
  }

  @Test func that_come_twice_are_there_once() async throws {
    let posts = Array(MarketCatalogue.posts.prefix(3))
    market.change { $0.top10 = { posts + posts } }
    let screen = try await Screen.open(HomeTop10Reactor(market))
    try await screen.run(.fetchTop10Posts)
    #expect(screen.state.posts == posts)
  }

  @Test func stay_as_they_were_when_a_fetch_fails() async throws {
    let screen = try await Screen.open(HomeTop10Reactor(market))
    try await screen.run(.fetchTop10Posts)
    market.change { $0.top10 = { throw AppError.tooManyRequests(retryAfter: 3) } }
    try await screen.run(.fetchTop10Posts)
    #expect(
      try await screen.mutations(after: 6) == ["setLoading(true)", "setError", "setLoading(false)"])
    #expect(screen.state.error == .tooManyRequests(retryAfter: 3))
    #expect(screen.state.posts.count == 10)
    #expect(!screen.state.isLoading)
  }

  @Test func of_a_newer_fetch_are_not_overwritten_by_an_older_one() async throws {
    let barrier = Barrier()
    market.change {
      $0.top10 = {
        await barrier.pass()
        return []
      }
    }
    let screen = try await Screen.open(HomeTop10Reactor(market))
    let older = try await screen.session.send(.fetchTop10Posts)
    await barrier.arrived(1)
    market.change { $0.top10 = { Array(MarketCatalogue.posts.prefix(10)) } }
    try await screen.run(.fetchTop10Posts)
    barrier.open()
    #expect(await older.finished.isCancelled)
    #expect(screen.state.posts.count == 10)
    #expect(!screen.state.isLoading)
  }
}
