import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Market services, both origins: accounts", .timeLimit(.minutes(5)))
struct AccountContractTests {
  @Test(arguments: Origin.allCases)
  func whoever_a_provider_vouches_for_is_signed_in(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      for (provider, idToken) in [(AuthProvider.google, "google-u2"), (.apple, "apple-u2")] {
        let token = try await market.services.auth.signIn(with: provider, idToken: Secret(idToken))
        #expect(!token.isAnonymous)
        #expect(token.expiresAt == market.clock.now.addingTimeInterval(60))
        try market.tokens.save(token)
        #expect(try await market.services.auth.me() == MarketCatalogue.users[1])
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func whoever_no_provider_vouches_for_is_not(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      for idToken in ["google-u9", "apple-u1", "google-", "u1", "", "google-u1\r\nX: y", "한국"] {
        await #expect(throws: AppError.invalidCredentials, "\(idToken)") {
          try await market.services.auth.signIn(with: .google, idToken: Secret(idToken))
        }
      }
      #expect(try market.tokens.token() == nil)
    }
  }

  @Test(arguments: Origin.allCases)
  func a_device_without_a_token_signs_in_by_itself(_ origin: Origin) async throws {
    try await Market.run(origin, as: "u3") { market async throws in
      #expect(try await market.services.auth.me() == MarketCatalogue.users[2])
      #expect(try market.tokens.token()?.isAnonymous == false)
    }
    try await Market.run(origin, as: nil) { market async throws in
      #expect(try await market.services.auth.me() == nil)
      #expect(try market.tokens.token()?.isAnonymous == true)
    }
    try await Market.run(origin, as: "nobody") { market async throws in
      await #expect(throws: AppError.invalidCredentials) { try await market.services.auth.me() }
    }
  }

  @Test(arguments: Origin.allCases)
  func an_anonymous_account_may_look_but_not_touch(_ origin: Origin) async throws {
    try await Market.run(origin, as: nil) { market async throws in
      let token = try await market.services.auth.signInAnonymously()
      #expect(token.isAnonymous)
      let services = market.services
      #expect(try await services.posts.posts(PostQuery(), page: 1, size: 1, for: nil).total == 520)
      #expect(try await services.top10.top10Posts().count == 10)
      #expect(try await services.registration.influencers(matching: "haru").count == 1)
      let draft = try PostDraft.named("Tea")
      let forbidden: [@Sendable () async throws -> Void] = [
        { try await services.posts.setLike(true, postID: "p1", by: .mina) },
        { _ = try await services.registration.upload(Data([1])) },
        { _ = try await services.registration.create(draft) },
      ]
      for call in forbidden {
        let error = await #expect(throws: AppError.self) { try await call() }
        #expect(error?.strategy == .requireLogin)
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func an_expired_token_is_renewed_on_the_way(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      _ = try await market.services.auth.me()
      let first = try #require(try market.tokens.token())
      market.clock.advance(bySeconds: 59)
      _ = try await market.services.auth.me()
      #expect(try market.tokens.token() == first)
      market.clock.advance(bySeconds: 1)
      #expect(try await market.services.auth.me() == .mina)
      let second = try #require(try market.tokens.token())
      #expect(second.access != first.access)
      #expect(second.expiresAt == market.clock.now.addingTimeInterval(60))
    }
  }

  @Test(arguments: Origin.allCases)
  func a_refresh_token_works_once(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      _ = try await market.services.auth.me()
      let copy = try market.anotherDevice(
        as: "u1", tokens: MemoryTokenStore(try market.tokens.token()))
      market.clock.advance(bySeconds: 60)
      _ = try await market.services.auth.me()
      await #expect(throws: AppError.sessionExpired) { try await copy.auth.me() }
    }
  }

  @Test(arguments: Origin.allCases)
  func signing_out_takes_both_tokens_back(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      try await market.services.auth.signOut()
      #expect(try market.tokens.token() == nil, "it signed in to sign out")
      let other = try market.anotherDevice(as: "u1")
      _ = try await (market.services.auth.me(), other.auth.me())
      try await market.services.auth.signOut()
      await #expect(throws: AppError.sessionExpired) { try await market.services.auth.me() }
      #expect(try await other.auth.me() == .mina)
    }
  }

  @Test(arguments: Origin.allCases)
  func a_deleted_account_is_signed_out_everywhere_and_likes_nothing(
    _ origin: Origin
  ) async throws {
    try await Market.run(origin) { market async throws in
      await #expect(throws: AppError.sessionExpired) {
        try await market.services.auth.deleteAccount()
      }
      let other = try market.anotherDevice(as: "u1")
      _ = try await other.auth.me()
      try await market.services.posts.setLike(true, postID: "p1", by: .mina)
      try await market.services.auth.deleteAccount()
      for auth in [market.services.auth, other.auth] {
        await #expect(throws: AppError.sessionExpired) { try await auth.me() }
      }
      try market.tokens.clear()
      #expect(try await market.services.auth.me() == .mina)
      #expect(try await market.page().posts.first == MarketCatalogue.posts.first)
    }
  }

  @Test(arguments: Origin.allCases)
  func another_process_takes_the_token_and_goes_on_counting(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      _ = try await market.services.auth.me()
      let token = try #require(try market.tokens.token())
      try await Market.run(origin) { other async throws in
        try other.tokens.save(token)
        #expect(try await other.services.auth.me() == .mina)
        other.clock.advance(bySeconds: 60)
        #expect(try await other.services.auth.me() == .mina)
        let newer = try #require(try other.tokens.token())
        #expect(newer.access != token.access && newer.refresh != token.refresh)
        try await other.services.auth.signOut()
        await #expect(throws: AppError.sessionExpired) { try await other.services.auth.me() }
      }
    }
  }

  @Test(arguments: Origin.allCases)
  func a_token_that_was_altered_or_made_up_does_not_hold(_ origin: Origin) async throws {
    try await Market.run(origin) { market async throws in
      let good = try market.backend.signIn(with: .google, idToken: "google-u1")
      let texts = [
        "", ".", "access", good.refresh, good.access + "0", String(good.access.dropLast()),
        good.access.replacingOccurrences(of: ".u1.", with: ".u2."),
        good.access.replacingOccurrences(of: ".1.", with: ".01."), "한국", "a b",
        "x\r\napikey: other", String(repeating: "a", count: 5000),
      ]
      for text in texts {
        let token = AuthToken(
          access: Secret(text), refresh: Secret("none"), isAnonymous: false,
          expiresAt: market.clock.now)
        try market.tokens.save(token)
        await #expect(throws: AppError.sessionExpired, "\(text)") {
          try await market.services.auth.me()
        }
      }
    }
  }
}
