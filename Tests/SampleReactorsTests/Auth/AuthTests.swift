import Refold
import SampleReactors
import Testing

@Suite("Auth: who the device belongs to", .timeLimit(.minutes(5)))
struct AuthTests {
  /// A device before the check, and what the check makes of it.
  struct Row: Sendable, CustomTestStringConvertible {
    var name: String
    var token: AuthToken?
    var answer: Result<User?, AppError> = .success(nil)
    var outcome: Result<AuthState, AppError>
    /// What the device keeps afterwards.
    var keeps: AuthToken?
    /// Who is signed in afterwards, of a device on which Jun was.
    var user: User?

    var testDescription: String { name }
  }

  static let jun = MarketCatalogue.users[1]
  static let social = AuthToken.named("social")
  static let anonymous = AuthToken.named("anonymous", isAnonymous: true)
  static let new = AuthToken.named("new", isAnonymous: true)

  static let matrix: [Row] = [
    Row(name: "no token", outcome: .success(.anonymous), keeps: new),
    Row(
      name: "user", token: social, answer: .success(.mina),
      outcome: .success(.authenticated(.mina)), keeps: social, user: .mina),
    Row(name: "no user", token: anonymous, outcome: .success(.anonymous), keeps: anonymous),
    Row(
      name: "session expired, social", token: social, answer: .failure(.sessionExpired),
      outcome: .success(.unauthenticated)),
    Row(
      name: "invalid credentials, social", token: social, answer: .failure(.invalidCredentials),
      outcome: .success(.unauthenticated)),
    Row(
      name: "session expired, anonymous", token: anonymous, answer: .failure(.sessionExpired),
      outcome: .success(.anonymous), keeps: new),
    Row(
      name: "network error", token: social, answer: .failure(.network(reason: "refused")),
      outcome: .failure(.network(reason: "refused")), keeps: social, user: jun),
    Row(
      name: "keychain not found", token: social, answer: .failure(.keychainNotFound),
      outcome: .failure(.keychainNotFound), keeps: social, user: jun),
    Row(
      name: "a server that fails", token: social, answer: .failure(.server(status: 503)),
      outcome: .failure(.server(status: 503)), keeps: social, user: jun),
    Row(
      name: "too many requests", token: anonymous,
      answer: .failure(.tooManyRequests(retryAfter: 7)),
      outcome: .failure(.tooManyRequests(retryAfter: 7)), keeps: anonymous, user: jun),
    Row(
      name: "any other error", token: social, answer: .failure(.badRequest(reason: "no key")),
      outcome: .failure(.unknown(reason: "\(AppError.badRequest(reason: "no key"))")),
      keeps: social, user: jun),
    Row(
      name: "invalid credentials, anonymous", token: anonymous,
      answer: .failure(.invalidCredentials),
      outcome: .failure(.unknown(reason: "\(AppError.invalidCredentials)")), keeps: anonymous,
      user: jun),
  ]

  @Test(arguments: matrix) func follows_from_the_token_and_the_answer(_ row: Row) async throws {
    let (tokens, users) = (MemoryTokenStore(row.token), UserStore(Self.jun))
    let market = StubMarket { $0.me = { try row.answer.get() } }
    let screen = try await Self.open(market, tokens, users)
    try await screen.run(.checkAuth)
    switch row.outcome {
    case .success(let authState):
      #expect(try await screen.mutations() == ["setAuthState"])
      #expect(screen.state.authState == authState)
    case .failure(let error):
      #expect(try await screen.mutations() == ["setError"])
      #expect(screen.state.authState == nil)
      #expect(screen.state.error == error)
    }
    #expect(try tokens.token() == row.keeps)
    #expect(users.user == row.user)
  }

  @Test func a_keychain_that_is_not_there_touches_nothing() async throws {
    let (market, users) = (StubMarket(), UserStore(.mina))
    let screen = try await Self.open(market, BrokenTokenStore(), users)
    try await screen.run(.checkAuth)
    #expect(screen.state.error == .keychainNotFound)
    #expect(users.user == .mina)
    #expect(market.calls.isEmpty)
  }

  @Test func an_anonymous_sign_in_that_fails_touches_nothing() async throws {
    let (tokens, users) = (MemoryTokenStore(), UserStore(.mina))
    let market = StubMarket { $0.signInAnonymously = { throw AppError.network(reason: "lost") } }
    let screen = try await Self.open(market, tokens, users)
    try await screen.run(.checkAuth)
    #expect(screen.state.error == .network(reason: "lost"))
    #expect(users.user == .mina)
    #expect(try tokens.token() == nil)
  }

  @Test func is_not_known_before_the_first_check_and_stays_known_after_a_failed_one() async throws {
    let market = StubMarket()
    let screen = try await Self.open(market, MemoryTokenStore(Self.social), UserStore())
    #expect(screen.state.authState == nil)
    try await screen.run(.checkAuth)
    market.change { $0.me = { throw AppError.network(reason: "lost") } }
    try await screen.run(.checkAuth)
    #expect(screen.state.authState == .authenticated(.mina))
    #expect(screen.state.$error.count == 1)
  }

  @Test func reaches_other_reactors_through_the_user_store() async throws {
    let users = UserStore()
    let screen = try await Self.open(StubMarket(), MemoryTokenStore(Self.social), users)
    let home = try await Screen.open(HomeReactor(users: users))
    try await screen.run(.checkAuth)
    #expect(try await home.log() == ["1 mutation(0) setUser"])
    #expect(home.state.user == .mina)
  }

  @Test func a_newer_check_drops_the_older_one() async throws {
    let (first, users) = (Barrier(), UserStore(Self.jun))
    let market = StubMarket {
      $0.me = {
        await first.pass()
        return nil
      }
    }
    let screen = try await Self.open(market, MemoryTokenStore(Self.social), users)
    let older = try await screen.session.send(.checkAuth)
    await first.arrived(1)
    market.change { $0.me = { .mina } }
    try await screen.run(.checkAuth)
    first.open()
    #expect(await older.finished.isCancelled)
    #expect(try await screen.mutations() == ["setAuthState"])
    #expect(users.user == .mina)
  }

  @Test(arguments: [nil, social, anonymous])
  func a_login_while_the_server_is_asked_has_the_last_word(_ token: AuthToken?) async throws {
    let (tokens, users, barrier) = (MemoryTokenStore(token), UserStore(), Barrier())
    let market = StubMarket {
      $0.signInAnonymously = {
        await barrier.pass()
        return Self.new
      }
      $0.me = {
        if barrier.arrivals > 0 { return .mina }
        await barrier.pass()
        throw AppError.sessionExpired
      }
    }
    let screen = try await Self.open(market, tokens, users)
    let check = try await screen.session.send(.checkAuth)
    await barrier.arrived(1)
    try tokens.save(.named("login"))
    barrier.open()
    _ = await check.finished
    #expect(try tokens.token() == .named("login"))
    #expect(screen.state.authState == .authenticated(.mina))
    #expect(users.user == .mina)
  }

  @Test func a_logout_while_the_server_is_asked_has_the_last_word() async throws {
    let (tokens, users, barrier) = (MemoryTokenStore(Self.social), UserStore(.mina), Barrier())
    let market = StubMarket {
      $0.me = {
        await barrier.pass()
        return .mina
      }
    }
    let screen = try await Self.open(market, tokens, users)
    let check = try await screen.session.send(.checkAuth)
    await barrier.arrived(1)
    try tokens.clear()
    users.clear()
    barrier.open()
    _ = await check.finished
    #expect(screen.state.authState == .anonymous)
    #expect(users.user == nil)
  }

  @Test func a_device_on_which_somebody_signs_in_again_and_again_is_asked_about_twice() async throws
  {
    let tokens = MemoryTokenStore(Self.social)
    let market = StubMarket {
      $0.me = {
        try tokens.save(.named("renewed+\(try tokens.token()?.access.value ?? "")"))
        throw AppError.sessionExpired
      }
    }
    let screen = try await Self.open(market, tokens, UserStore())
    try await screen.run(.checkAuth)
    #expect(screen.state.authState == .unauthenticated)
    #expect(market.calls == ["me", "me"])
    #expect(try tokens.token() == nil)
  }

  @Test func what_comes_before_it_comes_first_and_its_failure_is_told() async throws {
    let (tokens, market) = (MemoryTokenStore(), StubMarket())
    let check = CheckAuthOnLaunch(
      auth: market, tokens: tokens, users: UserStore(), before: { try tokens.save(Self.social) })
    #expect(try await check() == .authenticated(.mina))
    let failing = CheckAuthOnLaunch(
      auth: market, tokens: tokens, users: UserStore(),
      before: { throw AppError.network(reason: "lost") })
    await #expect(throws: AppError.network(reason: "lost")) { try await failing() }
  }

  private static func open(
    _ market: StubMarket, _ tokens: any TokenStore, _ users: UserStore
  ) async throws -> Screen<AuthReactor> {
    try await Screen.open(
      AuthReactor(CheckAuthOnLaunch(auth: market, tokens: tokens, users: users)))
  }
}
