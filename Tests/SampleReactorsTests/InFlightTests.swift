import EventStoreCore
import Foundation
import Refold
import SampleReactors
import Testing

/// What a session makes of what was in flight when it opens: nothing, while somebody runs it.
@Suite("Opening what another process is at work on", .timeLimit(.minutes(5)))
struct LivingProcessTests {
  @Test func leaves_a_submit_alone() async throws {
    let (market, store, barrier) = (StubMarket(), InMemoryEventStore(), Barrier())
    let first = try await CreatePost.open(market, store: store)
    try await first.fillIn()
    market.change {
      $0.create = { _ in
        await barrier.pass()
        return MarketCatalogue.posts[0]
      }
    }
    let submit = try await first.screen.session.send(.tapSubmit)
    await barrier.arrived(1)
    let second = try await CreatePost.open(market, store: store)
    #expect(second.state.isLoading)
    try await second.screen.run(.tapSubmit)
    barrier.open()
    _ = await submit.finished
    #expect(market.calls.filter { $0.hasPrefix("create") } == ["create Apron"])
    #expect(try await !first.screen.log().contains { $0.hasSuffix("setInterrupted") })
    try await second.screen.session.close()
  }

  @Test func leaves_a_fetch_alone() async throws {
    let store = InMemoryEventStore()
    let first = try await Home.open(gated: true, store: store)
    let fetch = try await first.session.send(.fetchPostList)
    let held = await first.gate.next()
    let second = try await Home.open(store: store)
    #expect(second.state.isLoading)
    try await second.run(.loadNextPage)
    #expect(try second.events().filter { $0.header.kind == .mutation }.count == 1)
    held.answer()
    _ = await fetch.finished
    #expect(try await !first.log().contains { $0.hasSuffix("setInterrupted") })
    #expect(first.state.posts.count == 30)
    #expect(!first.state.wasInterrupted)
    try await second.session.close()
  }

  @Test func leaves_a_like_alone() async throws {
    let store = InMemoryEventStore()
    let first = try await Home.open(user: .mina, gated: true, store: store)
    let fetch = try await first.session.send(.fetchPostList)
    await first.gate.next().answer()
    _ = await fetch.finished
    let like = try await first.session.send(.toggleLike(postID: "p1", isLiked: true))
    let held = await first.gate.next()
    let second = try await Home.open(user: .mina, gated: true, store: store)
    #expect(second.state.likesInFlight["p1"] != nil)
    #expect(second.state.posts[0].isLiked)
    held.answer()
    _ = await like.finished
    #expect(try await !first.log().contains { $0.hasSuffix("setInterrupted") })
    #expect(first.state.posts[0].isLiked)
    try await second.session.close()
  }

  @Test func leaves_a_logout_alone() async throws {
    let (market, store, barrier) = (StubMarket(), InMemoryEventStore(), Barrier())
    market.change { $0.signOut = { await barrier.pass() } }
    let reactor = ProfileReactor(
      auth: market, tokens: MemoryTokenStore(.named("social")), users: UserStore(.mina))
    let first = try await Screen.open(reactor, store: store)
    let logout = try await first.session.send(.logoutButtonTapped)
    await barrier.arrived(1)
    let second = try await Screen.open(reactor, store: store)
    #expect(second.state.isLoading)
    try await second.run(.logoutButtonTapped)
    barrier.open()
    _ = await logout.finished
    #expect(market.calls == ["signOut"])
    #expect(try await !first.log().contains { $0.hasSuffix("setInterrupted") })
    try await second.session.close()
  }

  @Test func leaves_a_login_and_its_nonce_alone() async throws {
    let (market, store, barrier) = (StubMarket(), InMemoryEventStore(), Barrier())
    market.change {
      $0.signIn = { _, _, nonce in
        await barrier.pass()
        return .named(nonce?.value ?? "no nonce")
      }
    }
    let (tokens, users) = (MemoryTokenStore(), UserStore())
    let reactor = LoginReactor(
      auth: market, tokens: tokens, users: users, nonce: { Secret("the nonce") })
    let first = try await Screen.open(reactor, store: store)
    try await first.run(.appleLoginTapped)
    try await Screen.open(reactor, store: store).session.close()
    let login = try await first.session.send(.appleLoginCompleted(idToken: Secret("apple-u1")))
    await barrier.arrived(1)
    let second = try await Screen.open(reactor, store: store)
    #expect(second.state.isLoading)
    barrier.open()
    _ = await login.finished
    #expect(try tokens.token() == .named("the nonce"))
    #expect(first.state.isLoginCompleted)
    try await second.session.close()
  }

  @Test func cannot_use_its_nonce() async throws {
    let (market, store) = (StubMarket(), InMemoryEventStore())
    let reactor = LoginReactor(auth: market, tokens: MemoryTokenStore(), users: UserStore())
    let first = try await Screen.open(reactor, store: store)
    try await first.run(.appleLoginTapped)
    let second = try await Screen.open(reactor, store: store)
    try await second.run(.appleLoginCompleted(idToken: Secret("apple-u1")))
    #expect(second.state.error == .invalidCredentials)
    #expect(market.calls.isEmpty)
    try await first.session.close()
  }
}

@Suite("Opening what a killed process was at work on", .timeLimit(.minutes(5)))
struct KilledProcessTests {
  /// What is logged when a session opens that a process left in the middle of `action`.
  private static func mended<R: Reactor>(
    _ reactor: R, _ action: R.Action, _ gate: Barrier
  ) async throws -> (mutations: [String], state: R.State) {
    let killed = try await Screen.open(reactor)
    try await killed.session.send(action)
    await gate.arrived(1)
    let last = try killed.events().count
    let screen = try await Screen.open(reactor, store: try killed.storeOfAKilledProcess())
    let mutations = try await screen.mutations(after: last)
    let state = screen.state
    gate.open()
    try await killed.session.close()
    try await screen.session.close()
    return (mutations, state)
  }

  @Test func is_loading_no_more() async throws {
    let gates = [Barrier(), Barrier(), Barrier()]
    let network = NetworkReactor(
      service: EmbeddedNetworkService(beforeAnswering: { await gates[0].pass() }))
    #expect(try await Self.mended(network, .fetchData, gates[0]).mutations == ["setLoading(false)"])
    let music = MusicReactor(
      service: EmbeddedMusicService(beforeAnswering: { _ in await gates[1].pass() }))
    #expect(try await Self.mended(music, .viewDidLoad, gates[1]).mutations == ["setLoading(false)"])
    let market = StubMarket {
      $0.top10 = {
        await gates[2].pass()
        return []
      }
    }
    let top10 = try await Self.mended(HomeTop10Reactor(market), .fetchTop10Posts, gates[2])
    #expect(top10.mutations == ["setLoading(false)"])
    #expect(!top10.state.isLoading)
  }

  @Test func does_not_know_whether_the_stream_is_on_air() async throws {
    let gate = Barrier()
    let stream = LivestreamReactor(
      service: EmbeddedLivestreamService(beforeAnswering: { _ in await gate.pass() }))
    let mended = try await Self.mended(stream, .startStreaming, gate)
    #expect(mended.state.streamingState == .failed)
  }
}
