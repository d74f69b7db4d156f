import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Login", .timeLimit(.minutes(5)))
struct LoginTests {
  private let market = StubMarket()
  private let tokens = MemoryTokenStore()
  private let users = UserStore()
  private let google = LoginReactor.Action.googleLoginCompleted(idToken: Secret("id-of-mina"))
  private let apple = LoginReactor.Action.appleLoginCompleted(idToken: Secret("id-of-mina"))

  private func open(
    tokens: (any TokenStore)? = nil, store: Screen<LoginReactor>? = nil,
    options: SessionOptions = SessionOptions()
  ) async throws -> Screen<LoginReactor> {
    let reactor = LoginReactor(
      auth: market, tokens: tokens ?? self.tokens, users: users, nonce: { Secret("the nonce") })
    guard let store else { return try await Screen.open(reactor, options: options) }
    return try await Screen.open(
      reactor, store: try store.storeOfAKilledProcess(), options: options)
  }

  @Test func is_loading_then_completed_then_no_loading() async throws {
    let screen = try await open()
    try await screen.run(google)
    #expect(
      try await screen.log() == [
        "1 action googleLoginCompleted", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setLoginCompleted", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(try tokens.token() == .named("google"))
    #expect(users.user == .mina)
    #expect(market.calls == ["signIn google", "me"])
    #expect(screen.state.isLoginCompleted)
  }

  @Test func that_is_not_accepted_changes_nothing_on_the_device() async throws {
    market.change { $0.signIn = { _, _, _ in throw AppError.invalidCredentials } }
    let screen = try await open()
    try await screen.run(google)
    #expect(
      try await screen.mutations() == ["setLoading(true)", "setError", "setLoading(false)"])
    #expect(screen.state.error == .invalidCredentials)
    #expect(try tokens.token() == nil)
    #expect(users.user == nil)
    #expect(!screen.state.isLoginCompleted)
  }

  @Test func whose_profile_cannot_be_fetched_is_an_error_and_can_be_completed_later() async throws {
    market.change { $0.me = { throw AppError.network(reason: "lost") } }
    let screen = try await open()
    try await screen.run(google)
    #expect(
      try await screen.mutations() == ["setLoading(true)", "setError", "setLoading(false)"])
    #expect(screen.state.error == .network(reason: "lost"))
    #expect(users.user == nil)
    #expect(try tokens.token() == .named("google"))
    market.change { $0.me = { .mina } }
    let check = CheckAuthOnLaunch(auth: market, tokens: tokens, users: users)
    #expect(try await check() == .authenticated(.mina))
    #expect(users.user == .mina)
  }

  @Test func of_an_account_without_a_user_is_an_error() async throws {
    market.change { $0.me = { nil } }
    let screen = try await open()
    try await screen.run(google)
    #expect(screen.state.error == .notFound(what: "the account"))
    #expect(users.user == nil)
  }

  @Test func whose_token_cannot_be_kept_is_an_error() async throws {
    let screen = try await open(tokens: BrokenTokenStore())
    try await screen.run(google)
    #expect(screen.state.error == .keychainNotFound)
    #expect(users.user == nil)
    #expect(market.calls == ["signIn google"])
  }

  @Test func that_was_cancelled_is_no_news_and_one_that_failed_is() async throws {
    let screen = try await open()
    for reason in [
      "The user canceled the sign-in flow.", "cancelled", "Cancelled by user", " CANCELED ",
    ] {
      try await screen.run(.googleLoginFailed(reason: reason))
    }
    #expect(try await screen.mutations() == [])
    try await screen.run(.googleLoginFailed(reason: "no network"))
    #expect(try await screen.mutations() == ["setError"])
    #expect("\(screen.state.error as Any)".contains("no network"))
  }

  @Test(arguments: ["The network cancelled my dreams", "not cancelled", "cancelled: no network"])
  func that_failed_for_a_reason_that_speaks_of_cancelling_is_news(_ reason: String) async throws {
    let screen = try await open()
    try await screen.run(.googleLoginFailed(reason: reason))
    #expect(screen.state.error == .unknown(reason: "Google's sign-in failed: \(reason)"))
  }

  @Test func with_Apple_is_bound_to_a_nonce_that_is_good_once() async throws {
    market.change {
      $0.signIn = { _, _, nonce in .named(nonce?.value ?? "no nonce") }
    }
    let screen = try await open()
    try await screen.run(.appleLoginTapped)
    #expect(screen.state.appleNonce == Secret("the nonce"))
    try await screen.run(apple)
    #expect(
      try await screen.mutations() == [
        "setAppleNonce", "setLoading(true)", "setLoginCompleted", "setLoading(false)",
      ])
    #expect(try tokens.token() == .named("the nonce"))
    #expect(screen.state.appleNonce == nil)
    try await screen.run(apple)
    #expect(try tokens.token() == .named("no nonce"))
  }

  @Test func with_Google_has_no_nonce() async throws {
    market.change { $0.signIn = { _, _, nonce in .named(nonce?.value ?? "no nonce") } }
    let screen = try await open()
    try await screen.run(.appleLoginTapped)
    try await screen.run(google)
    #expect(try tokens.token() == .named("no nonce"))
  }

  @Test func nonces_are_64_digits_and_never_the_same() {
    let nonces = (0..<100).map { _ in LoginReactor.randomNonce() }
    #expect(Set(nonces).count == 100)
    #expect(nonces.allSatisfy { $0.value?.count == 64 })
  }

  @Test func while_another_runs_is_ignored() async throws {
    let barrier = Barrier()
    market.change {
      $0.me = {
        await barrier.pass()
        return .mina
      }
    }
    let screen = try await open()
    let first = try await screen.session.send(google)
    await barrier.arrived(1)
    for action in [google, apple, .appleLoginTapped] {
      let ignored = try await screen.session.send(action)
      #expect(ignored.version == ignored.seq)
    }
    barrier.open()
    _ = await first.finished
    #expect(
      try await screen.mutations() == [
        "setLoading(true)", "setLoginCompleted", "setLoading(false)",
      ])
    #expect(market.calls == ["signIn google", "me"])
  }

  @Test func that_a_crash_interrupted_does_not_keep_others_out() async throws {
    let barrier = Barrier()
    market.change {
      $0.me = {
        await barrier.pass()
        return .mina
      }
    }
    let killed = try await open()
    try await killed.session.send(google)
    await barrier.arrived(1)
    let screen = try await open(store: killed)
    #expect(try await screen.log(from: 4) == ["4 mutation(0) setInterrupted"])
    barrier.open()
    await killed.session.finishEffects()
    try await screen.run(google)
    #expect(screen.state.isLoginCompleted)
  }

  @Test func that_is_retried_asks_to_sign_in_again() async throws {
    let barrier = Barrier()
    market.change {
      $0.me = {
        await barrier.pass()
        return .mina
      }
    }
    let killed = try await open()
    try await killed.session.send(google)
    await barrier.arrived(1)
    var options = SessionOptions()
    options.interrupted = .retry
    let screen = try await open(store: killed, options: options)
    #expect(
      try await screen.log(from: 4) == [
        "4 mutation(0) setInterrupted", "5 mutation(1) setLoading(true)", "6 pending(1)",
        "7 mutation(1) setError", "8 mutation(1) setLoading(false)", "9 completed(1)",
      ])
    #expect(market.calls == ["signIn google", "me"])
    #expect(screen.state.error == .invalidCredentials)
    barrier.open()
    await killed.session.finishEffects()
  }

  @Test func leaves_no_secret_in_the_log() async throws {
    let screen = try await open()
    try await screen.run(.appleLoginTapped)
    for action in [apple, google] { try await screen.run(action) }
    let log = try screen.events().map { String(decoding: $0.payload, as: UTF8.self) }.joined()
    #expect(log.contains("hmac-sha256"))
    for secret in ["id-of-mina", "the nonce", "refresh-google"] {
      #expect(!log.contains(secret))
      #expect(!log.contains(Data(secret.utf8).base64EncodedString()))
    }
  }
}
