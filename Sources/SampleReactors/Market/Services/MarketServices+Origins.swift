extension MarketServices {
  /// Services over `api`, known there by the token in `tokens`. All of them renew it together, so
  /// there should be one such bundle for a token store.
  ///
  /// - Parameter userID: who signs in where `tokens` is empty: as the demonstration's sign-in with
  ///   Google does; nil for an anonymous account, which may look, but neither like nor create.
  public init(over api: any MarketAPI, tokens: any TokenStore, userID: User.ID?) {
    let market = AuthorizedMarket(api, tokens: tokens, userID: userID)
    self.init(tokens: tokens, auth: market, posts: market, top10: market, registration: market)
  }

  /// Services with no network, over `backend`, which others may share.
  ///
  ///     let services = MarketServices.embedded(userID: "u1")
  ///     let page = try await services.posts.posts(PostQuery(), page: 1, size: 30, for: user)
  ///
  /// - Parameters:
  ///   - tokens: where the device's token is kept.
  ///   - userID: who signs in where that is empty; nil for an anonymous account.
  ///   - beforeAnswering: awaited before each answer. How long it takes delays the answer, and what
  ///     it throws is the answer: for tests and demonstrations.
  public static func embedded(
    _ backend: MarketBackend = MarketBackend(), tokens: any TokenStore = MemoryTokenStore(),
    userID: User.ID? = nil,
    beforeAnswering: @escaping @Sendable (MarketCall) async throws -> Void = { _ in }
  ) -> MarketServices {
    MarketServices(
      over: EmbeddedMarket(backend: backend, beforeAnswering: beforeAnswering), tokens: tokens,
      userID: userID)
  }
}
