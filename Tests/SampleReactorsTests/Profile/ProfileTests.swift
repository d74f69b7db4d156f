import EventStoreCore
import Refold
import SampleReactors
import Testing

@Suite("Profile", .timeLimit(.minutes(5)))
struct ProfileTests {
  private let market = StubMarket()
  private let tokens = MemoryTokenStore(.named("token"))
  private let users = UserStore(.mina)

  private func open(
    tokens: (any TokenStore)? = nil, store: InMemoryEventStore = InMemoryEventStore(),
    options: SessionOptions = SessionOptions()
  ) async throws -> Screen<ProfileReactor> {
    try await Screen.open(
      ProfileReactor(auth: market, tokens: tokens ?? self.tokens, users: users), store: store,
      options: options)
  }

  @Test func shows_who_the_user_store_says_is_signed_in() async throws {
    let screen = try await open()
    try await screen.run(.viewDidAppear)
    #expect(
      try await screen.log() == [
        "1 mutation(0) setUser", "2 action viewDidAppear", "3 mutation(2) setUser",
      ])
    #expect(screen.state.user == .mina)
    users.clear()
    try await screen.run(.viewDidAppear)
    #expect(screen.state.user == nil)
  }

  @Test func asks_for_the_sign_in_screen() async throws {
    let screen = try await open()
    for _ in 0..<2 { try await screen.run(.loginButtonTapped) }
    #expect(try await screen.mutations(after: 1) == ["setLoginRequested", "setLoginRequested"])
    #expect(screen.state.$loginRequested.count == 2)
  }

  @Test func a_logout_is_loading_then_nobody_from_the_store_then_no_loading() async throws {
    let screen = try await open()
    try await screen.run(.logoutButtonTapped)
    #expect(
      try await screen.log(from: 2) == [
        "2 action logoutButtonTapped", "3 mutation(2) setLoading(true)", "4 pending(2)",
        "5 mutation(0) setUser", "6 mutation(2) setLoading(false)", "7 completed(2)",
      ])
    #expect(screen.state.user == nil)
    #expect(users.user == nil)
    #expect(try tokens.token() == nil)
    #expect(market.calls == ["signOut"])
  }

  @Test func a_logout_that_the_server_does_not_take_signs_the_device_out_and_says_so() async throws
  {
    market.change { $0.signOut = { throw AppError.network(reason: "lost") } }
    let screen = try await open()
    try await screen.run(.logoutButtonTapped)
    #expect(
      try await screen.mutations(after: 1) == [
        "setLoading(true)", "setUser", "setError", "setLoading(false)",
      ])
    #expect(screen.state.user == nil)
    #expect(screen.state.error == .network(reason: "lost"))
    #expect(try tokens.token() == nil)
  }

  @Test func a_logout_from_a_session_that_has_expired_is_a_logout() async throws {
    market.change { $0.signOut = { throw AppError.sessionExpired } }
    let screen = try await open()
    try await screen.run(.logoutButtonTapped)
    #expect(
      try await screen.mutations(after: 1) == [
        "setLoading(true)", "setUser", "setLoading(false)",
      ])
  }

  @Test func a_logout_that_cannot_clear_the_token_is_none() async throws {
    let screen = try await open(tokens: BrokenTokenStore())
    try await screen.run(.logoutButtonTapped)
    #expect(
      try await screen.mutations(after: 1) == ["setLoading(true)", "setError", "setLoading(false)"])
    #expect(screen.state.user == .mina)
    #expect(users.user == .mina)
  }

  @Test func an_account_that_is_deleted_is_signed_out() async throws {
    let screen = try await open()
    try await screen.run(.deleteAccountTapped)
    #expect(
      try await screen.log(from: 2) == [
        "2 action deleteAccountTapped", "3 mutation(2) setLoading(true)", "4 pending(2)",
        "5 mutation(0) setUser", "6 mutation(2) setLoading(false)", "7 completed(2)",
      ])
    #expect(screen.state.user == nil)
    #expect(try tokens.token() == nil)
    #expect(market.calls == ["me", "deleteAccount"])
  }

  @Test func an_account_that_is_not_deleted_stays_with_its_user() async throws {
    market.change { $0.deleteAccount = { throw AppError.server(status: 500) } }
    let screen = try await open()
    try await screen.run(.deleteAccountTapped)
    #expect(
      try await screen.mutations(after: 1) == ["setLoading(true)", "setError", "setLoading(false)"])
    #expect(screen.state.user == .mina)
    #expect(users.user == .mina)
    #expect(try tokens.token() == .named("token"))
  }

  @Test(arguments: [nil, MarketCatalogue.users[1]])
  func an_account_that_is_not_the_one_on_screen_is_not_deleted(_ other: User?) async throws {
    market.change { $0.me = { other } }
    let screen = try await open()
    try await screen.run(.deleteAccountTapped)
    #expect(screen.state.error == .sessionExpired)
    #expect(screen.state.user == .mina)
    #expect(market.calls == ["me"])
  }

  @Test func nobody_s_account_is_not_deleted() async throws {
    users.clear()
    let screen = try await open()
    try await screen.run(.deleteAccountTapped)
    #expect(try await screen.mutations() == ["setLoginRequested"])
    #expect(market.calls.isEmpty)
  }

  @Test func what_is_tapped_while_a_logout_runs_is_ignored() async throws {
    let barrier = Barrier()
    market.change { $0.signOut = { await barrier.pass() } }
    let screen = try await open()
    let first = try await screen.session.send(.logoutButtonTapped)
    await barrier.arrived(1)
    try await screen.run(.logoutButtonTapped)
    try await screen.run(.deleteAccountTapped)
    barrier.open()
    _ = await first.finished
    #expect(market.calls == ["signOut"])
  }

  @Test func a_logout_that_a_crash_interrupted_can_be_tapped_again_or_retried() async throws {
    let barrier = Barrier()
    market.change { $0.signOut = { await barrier.pass() } }
    let killed = try await open()
    try await killed.session.send(.logoutButtonTapped)
    await barrier.arrived(1)
    let left = try killed.storeOfAKilledProcess()
    let other = try killed.storeOfAKilledProcess()
    barrier.open()
    await killed.session.finishEffects()
    users.setUser(.mina)

    let screen = try await open(store: left)
    #expect(try await screen.log(from: 5) == ["5 mutation(0) setInterrupted"])
    try await screen.run(.logoutButtonTapped)
    #expect(screen.state.user == nil)

    users.setUser(.mina)
    var options = SessionOptions()
    options.interrupted = .retry
    let retried = try await open(store: other, options: options)
    await retried.session.finishEffects()
    #expect(retried.state.user == nil)
    #expect(!retried.state.isLoading)
  }
}

@Suite("One user store, two sessions", .timeLimit(.minutes(5)))
struct SharedUserStoreTests {
  @Test func whatever_it_says_is_in_both_logs_once() async throws {
    let (users, store) = (UserStore(), InMemoryEventStore())
    let home = try await Session.open(HomeReactor(users: users), named: "home", in: store)
    let profile = try await Session.open(
      ProfileReactor(auth: StubMarket(), tokens: MemoryTokenStore(), users: users),
      named: "profile", in: store)
    let screens = (
      Screen(store: store, session: home), Screen(store: store, session: profile)
    )
    users.setUser(.mina)
    #expect(try await screens.0.log() == ["1 mutation(0) setUser"])
    #expect(try await screens.1.log() == ["1 mutation(0) setUser"])
    #expect(home.currentState.user == .mina)
    #expect(profile.currentState.user == .mina)

    try await screens.1.run(.logoutButtonTapped)
    #expect(try await screens.0.log(from: 2) == ["2 mutation(0) setUser"])
    #expect(try await screens.1.log(from: 2).filter { $0.contains("(0)") }.count == 1)
    #expect(home.currentState.user == nil)
    #expect(profile.currentState.user == nil)
    try await screens.0.run(.toggleLike(postID: "p1", isLiked: true))
    #expect(home.currentState.needsLogin)
  }
}
