import MarketServer
import Refold
import SampleReactors
import Testing

@Suite("Home over a slow HTTP server", .timeLimit(.minutes(5)))
struct HomeOverHTTPTests {
  private let like = HomeReactor.Action.toggleLike(postID: "p1", isLiked: true)

  @Test func a_fast_change_of_category_ends_with_the_last_one() async throws {
    try await Home.run { home async throws in
      let gate = try AnswerGate()
      home.server.fail("GET /posts", with: .held(gate))
      let first = try await home.session.send(.selectCategory(category: .only(.beauty)))
      let beauty = await home.server.next("GET /posts")
      #expect(beauty.request.queryValue("category") == "beauty")
      try await home.run(.selectCategory(category: .only(.food)))
      gate.open()
      guard case .cancelled = await first.finished else {
        Issue.record("the older fetch was not cancelled")
        return
      }
      #expect(await home.server.end(of: beauty) == .closedByClient)
      #expect(home.state.posts == MarketCatalogue.posts.food(30))
      #expect(home.state.error == nil)
    }
  }

  @Test func many_fast_changes_end_with_the_last_one() async throws {
    try await Home.run { home async throws in
      let gate = try AnswerGate()
      home.server.fail("GET /posts", with: .held(gate), times: nil)
      let choices = CategoryFilter.choices.dropFirst() + [.only(.food)]
      for category in choices {
        try await home.session.send(.selectCategory(category: category))
        if category == .only(.pet) { _ = await home.server.next("GET /posts") }
      }
      gate.open()
      await home.session.finishEffects()
      #expect(home.state.posts == MarketCatalogue.posts.food(30))
      try await home.run(.loadNextPage)
      #expect(home.state.posts == MarketCatalogue.posts.food(40))
    }
  }

  @Test func a_refresh_after_page_3_starts_over_while_a_page_is_on_its_way() async throws {
    try await Home.run { home async throws in
      try await home.run(.fetchPostList)
      for _ in 1...2 { try await home.run(.loadNextPage) }
      #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(90)))
      let gate = try AnswerGate()
      for _ in 1...3 { _ = await home.server.next("GET /posts") }
      home.server.fail("GET /posts", with: .held(gate))
      try await home.session.send(.loadNextPage)
      let late = await home.server.next("GET /posts")
      #expect(late.request.queryValue("page") == "4")
      try await home.run(.fetchPostList)
      gate.open()
      #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(30)))
      #expect(home.server.requests.last?.request.queryValue("page") == "1")
      try await home.run(.loadNextPage)
      #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(60)))
    }
  }

  @Test func a_double_tap_on_like_is_one_request() async throws {
    try await Home.run { home async throws in
      try await home.run(.fetchPostList)
      let gate = try AnswerGate()
      home.server.fail("PUT /posts/p1/like", with: .held(gate))
      let first = try await home.session.send(like)
      let held = await home.server.next("PUT /posts/p1/like")
      try await home.run(like)
      try await home.run(.toggleLike(postID: "p1", isLiked: false))
      #expect(home.state.posts.first?.isLiked == true)
      gate.open()
      _ = await first.finished
      #expect(await home.server.end(of: held) == .answered(204))
      #expect(home.server.count("PUT /posts/p1/like") == 1)
      #expect(home.server.count("DELETE /posts/p1/like") == 0)
      try await home.run(.fetchPostList)
      #expect(home.state.posts.first?.isLiked == true)
    }
  }

  @Test(arguments: [
    (Fault.status(409, code: "TAKEN"), AppError.conflict(code: "TAKEN")),
    (.status(500), .server(status: 500)), (.status(403), .invalidCredentials),
    (.status(429, retryAfter: 3), .tooManyRequests(retryAfter: 3)),
  ])
  func a_like_that_fails_late_is_taken_back(_ fault: Fault, _ expected: AppError) async throws {
    try await Home.run { home async throws in
      try await home.run(.fetchPostList)
      let gate = try AnswerGate()
      home.server.fail("PUT /posts/p1/like", with: .held(gate), fault)
      let receipt = try await home.session.send(like)
      _ = await home.server.next("PUT /posts/p1/like")
      // The list is fetched anew while the like is shown, and does not know of it.
      try await home.run(.fetchPostList)
      #expect(home.state.posts.first?.isLiked == true)
      gate.open()
      _ = await receipt.finished
      #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(30)))
      #expect(home.state.error == expected)
      #expect(home.state.$error.count == 1)
    }
  }

  @Test func a_like_whose_answer_is_lost_is_set_right_by_the_next_fetch() async throws {
    try await Home.run { home async throws in
      try await home.run(.fetchPostList)
      home.server.fail("PUT /posts/p1/like", with: .reset, times: nil)
      try await home.run(like)
      #expect(home.state.posts.first?.isLiked == false)
      try await home.run(.fetchPostList)
      #expect(home.state.posts.first?.isLiked == true)
    }
  }

  @Test func a_fetch_that_fails_ends_with_an_error_and_can_be_repeated() async throws {
    try await Home.run { home async throws in
      for fault in [Fault.status(503), .truncated, .notUTF8, .notJSON, .emptyBody, .reset] {
        home.server.fail("GET /posts", with: fault, times: nil)
        let errors = home.state.$error.count
        try await home.run(.fetchPostList)
        #expect(home.state.$error.count == errors + 1)
        #expect(!home.state.isLoading)
        home.server.clearFaults()
        try await home.run(.fetchPostList)
        #expect(home.state.posts.count == 30)
      }
    }
  }

  @Test func an_expired_token_goes_unnoticed() async throws {
    try await Home.run { home async throws in
      try await home.run(.fetchPostList)
      home.server.fail("GET /posts", with: .status(401))
      home.server.fail("PUT /posts/p1/like", with: .status(401))
      try await home.run(.loadNextPage)
      try await home.run(like)
      #expect(home.state.error == nil)
      #expect(home.state.posts.count == 60)
      #expect(home.state.posts.first?.isLiked == true)
    }
  }

  @Test func closing_the_session_closes_its_requests() async throws {
    try await Home.run(isSettled: false) { home async throws in
      home.server.fail("GET /posts", with: .held(try AnswerGate()))
      try await home.session.send(.fetchPostList)
      let request = await home.server.next("GET /posts")
      try await home.session.close()
      #expect(await home.server.end(of: request) == .closedByClient)
    }
  }

  @Test func whoever_is_anonymous_at_the_server_is_asked_to_sign_in() async throws {
    try await Home.run(as: nil) { home async throws in
      try await home.run(.fetchPostList)
      #expect(home.server.count("POST /auth/anonymous") == 1)
      try await home.run(like)
      #expect(home.state.needsLogin)
      #expect(home.server.count("PUT /posts/p1/like") == 0)
    }
  }
}

extension [Post] {
  fileprivate func food(_ count: Int) -> [Post] {
    Array(filter { $0.category == .food }.prefix(count))
  }
}
