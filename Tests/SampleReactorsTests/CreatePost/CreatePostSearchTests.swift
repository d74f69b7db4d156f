import Refold
import SampleReactors
import Testing

@Suite("Create a post: the search for an influencer", .timeLimit(.minutes(5)))
struct CreatePostSearchTests {
  @Test func is_the_keyword_at_once_and_the_result_after_a_pause() async throws {
    let post = try await CreatePost.open()
    try await post.search("haru", delay: 1)
    #expect(
      try await post.screen.log() == [
        "1 action searchInfluencerKeyword", "2 mutation(1) setInfluencerKeyword", "3 pending(1)",
        "4 mutation(1) setInfluencerResult", "5 completed(1)",
      ])
    #expect(post.state.influencerResult.map(\.name) == ["daily.haru"])
  }

  @Test func strips_a_leading_at_sign() async throws {
    let post = try await CreatePost.open()
    try await post.search("@haru", delay: 1)
    #expect(post.state.influencerKeyword == "haru")
    #expect(post.market.calls == ["influencers haru"])
    try await post.screen.run(.searchInfluencerKeyword(keyword: "haru"))
    #expect(try await post.screen.log(from: 6) == ["6 action searchInfluencerKeyword"])
  }

  @Test func waits_until_typing_has_paused_for_300_ms() async throws {
    let post = try await CreatePost.open()
    let session = post.screen.session
    try await session.send(.searchInfluencerKeyword(keyword: "ha"))
    await post.clock.begun(1)
    post.clock.advance(by: .milliseconds(299))
    let last = try await session.send(.searchInfluencerKeyword(keyword: "har"))
    await post.clock.begun(2)
    post.clock.advance(by: .milliseconds(299))
    #expect(post.market.calls.isEmpty)
    post.clock.advance(by: .milliseconds(1))
    _ = await last.finished
    #expect(post.market.calls == ["influencers har"])
  }

  @Test(arguments: ["", "@"])
  func is_cancelled_when_the_keyword_is_cleared(_ nothing: String) async throws {
    let (barrier, market) = (Barrier(), StubMarket())
    market.change {
      $0.influencers = { _ in
        await barrier.pass()
        return MarketCatalogue.influencers
      }
    }
    let post = try await CreatePost.open(market)
    let search = try await post.screen.session.send(.searchInfluencerKeyword(keyword: "a"))
    await post.clock.begun(1)
    post.clock.advance(by: .milliseconds(300))
    await barrier.arrived(1)
    try await post.screen.run(.searchInfluencerKeyword(keyword: nothing))
    barrier.open()
    #expect(await search.finished.isCancelled)
    #expect(
      try await post.screen.mutations() == [
        "setInfluencerKeyword", "setInfluencerKeyword", "setInfluencerResult",
      ])
    #expect(post.state.influencerKeyword == "")
    #expect(post.state.influencerResult.isEmpty)
  }

  @Test func of_a_newer_keyword_drops_the_result_of_the_older_one() async throws {
    let (barrier, market) = (Barrier(), StubMarket())
    market.change {
      $0.influencers = { keyword in
        if keyword == "a" { await barrier.pass() }
        return MarketCatalogue.influencers.filter { $0.name.contains(keyword) }
      }
    }
    let post = try await CreatePost.open(market)
    let older = try await post.screen.session.send(.searchInfluencerKeyword(keyword: "a"))
    await post.clock.begun(1)
    post.clock.advance(by: .milliseconds(300))
    await barrier.arrived(1)
    try await post.search("nari", delay: 2)
    barrier.open()
    #expect(await older.finished.isCancelled)
    #expect(post.state.influencerResult.map(\.name) == ["studio_nari"])
  }

  @Test func that_failed_can_be_asked_for_again() async throws {
    let market = StubMarket { $0.influencers = { _ in throw AppError.server(status: 500) } }
    let post = try await CreatePost.open(market)
    try await post.search("haru", delay: 1)
    #expect(try await post.screen.mutations() == ["setInfluencerKeyword", "setError"])
    market.change { $0.influencers = { _ in [MarketCatalogue.influencers[0]] } }
    try await post.search("haru", delay: 2)
    #expect(post.state.influencerResult.count == 1)
  }

  @Test func that_a_crash_interrupted_can_be_asked_for_again() async throws {
    let killed = try await CreatePost.open()
    try await killed.screen.session.send(.searchInfluencerKeyword(keyword: "haru"))
    let again = try await CreatePost.open(store: try killed.screen.storeOfAKilledProcess())
    try await again.search("haru", delay: 1)
    #expect(again.state.influencerResult.map(\.name) == ["daily.haru"])
    try await killed.screen.session.close()
  }

  @Test func of_another_process_s_keyword_changes_nothing() {
    let reactor = CreatePostReactor(service: StubMarket())
    var state = reactor.initialState
    reactor.reduce(state: &state, mutation: .setInfluencerKeyword("new"))
    reactor.reduce(
      state: &state,
      mutation: .setInfluencerResult(keyword: "old", influencers: MarketCatalogue.influencers))
    #expect(state.influencerResult.isEmpty)
  }
}
