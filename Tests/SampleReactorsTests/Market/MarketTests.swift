import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Market: catalogue and models")
struct MarketTests {
  @Test func the_catalogue_has_40_posts_in_each_of_13_categories() {
    #expect(GroupBuyingCategory.allCases.count == 13)
    #expect(MarketCatalogue.posts.count == 520)
    #expect(Set(MarketCatalogue.posts.map(\.id)).count == 520)
    #expect(Set(MarketCatalogue.posts.map(\.title)).count == 520)
    for category in GroupBuyingCategory.allCases {
      #expect(MarketCatalogue.posts.count { $0.category == category } == 40)
    }
    #expect(MarketCatalogue.users.contains { $0.id == "u1" })
  }

  @Test func pages_follow_each_other_and_a_page_beyond_the_last_is_empty() async throws {
    let service = EmbeddedPostService()
    var posts: [Post] = []
    for number in 1...18 {
      let page = try await service.posts(PostQuery(), page: number, size: 30, for: nil)
      #expect(page.total == 520)
      posts += page.posts
    }
    #expect(posts == MarketCatalogue.posts)
    for number in [19, Int.max] {
      #expect(try await service.posts(PostQuery(), page: number, size: 30, for: nil).posts.isEmpty)
    }
    await #expect(throws: AppError.self) {
      try await service.posts(PostQuery(), page: 0, size: 30, for: nil)
    }
  }

  @Test func a_search_finds_titles_in_any_case() async throws {
    let page = try await EmbeddedPostService().posts(
      PostQuery(category: .only(.food), keyword: "FRESH"), page: 1, size: 30, for: nil)
    #expect(page.posts.map(\.title).sorted().first == "Fresh food box")
    #expect(page.total == 8)
  }

  @Test func likes_are_remembered_by_user_and_instance() async throws {
    let service = EmbeddedPostService()
    let (mina, jun) = (MarketCatalogue.users[0], MarketCatalogue.users[1])
    try await service.setLike(true, postID: "p1", by: mina)
    try await service.setLike(true, postID: "p1", by: mina)
    func isLiked(_ user: User?) async throws -> Bool? {
      try await service.posts(PostQuery(), page: 1, size: 1, for: user).posts.first?.isLiked
    }
    #expect(try await isLiked(mina) == true)
    #expect(try await isLiked(jun) == false)
    #expect(try await isLiked(nil) == false)
    try await service.setLike(false, postID: "p1", by: mina)
    #expect(try await isLiked(mina) == false)
    await #expect(throws: AppError.notFound(what: "post p0")) {
      try await service.setLike(true, postID: "p0", by: mina)
    }
  }

  @Test func a_status_follows_from_a_date() {
    let (start, end) = (Date(timeIntervalSince1970: 100), Date(timeIntervalSince1970: 200))
    let statuses = [99, 100, 199, 200].map { seconds in
      GroupBuyingStatus(from: start, to: end, at: Date(timeIntervalSince1970: seconds))
    }
    #expect(statuses == [.upcoming, .open, .open, .closed])
    let post = MarketCatalogue.posts[0]
    #expect(post.status(at: post.startDate.addingTimeInterval(-1)) == .upcoming)
    #expect(post.status(at: post.startDate) == .open)
    #expect(post.status(at: post.endDate) == .closed)
  }

  @Test func a_token_is_told_by_its_end_and_whose_it_is() {
    let end = Date(timeIntervalSince1970: 100)
    func status(_ seconds: Double, isAnonymous: Bool) -> TokenStatus {
      TokenStatus(
        of: AuthToken(
          access: Secret("a"), refresh: Secret("r"), isAnonymous: isAnonymous, expiresAt: end),
        at: Date(timeIntervalSince1970: seconds))
    }
    #expect(TokenStatus(of: nil, at: end) == .noToken)
    #expect(TokenStatus(of: nil, at: end).isAnonymous == nil)
    #expect(status(99, isAnonymous: false) == .valid(isAnonymous: false))
    #expect(status(100, isAnonymous: true) == .expired(isAnonymous: true))
    #expect([99, 100].map { status($0, isAnonymous: true).isAnonymous } == [true, true])
  }

  @Test func a_user_store_says_whether_anybody_is_signed_in() {
    let users = UserStore.unknown
    #expect(!users.isLoggedIn)
    users.setUser(MarketCatalogue.users[0])
    #expect(users.isLoggedIn)
    users.clear()
    #expect(!users.isLoggedIn)
  }

  @Test func a_category_is_coded_as_its_name_and_an_unknown_one_names_those_there_are() throws {
    let codec = EventCodec()
    let all = try codec.encode(CategoryFilter.choices)
    #expect(String(decoding: all.prefix(22), as: UTF8.self) == #"["all","beauty","food""#)
    #expect(try codec.decode([CategoryFilter].self, from: all) == CategoryFilter.choices)
    let error = #expect(throws: (any Error).self) {
      try codec.decode([CategoryFilter].self, from: Array(#"["cars"]"#.utf8))
    }
    #expect("\(error.map { "\($0)" } ?? "")".contains("expected all, beauty, food"))
  }

  @Test func an_error_says_what_to_do_about_it_and_comes_back_from_the_log() throws {
    let errors: [(AppError, AppError.Strategy)] = [
      (.network(reason: "refused"), .retryable), (.server(status: 503), .retryable),
      (.tooManyRequests(retryAfter: nil), .retryable), (.sessionExpired, .requireLogin),
      (.tooManyRequests(retryAfter: 7), .retryable), (.invalidCredentials, .requireLogin),
      (.notFound(what: "post p0"), .userGuide), (.conflict(code: "TAKEN"), .userGuide),
      (.tooLarge(what: "the image", bytes: 2, limit: 1), .userGuide),
      (.noRoute(path: "/v1/search"), .developerError),
      (.badRequest(reason: "page 0"), .developerError), (.keychainNotFound, .silent),
      (.undecodable(reason: "no total"), .developerError),
      (.unknown(reason: "?"), .developerError),
    ]
    for (error, strategy) in errors {
      #expect(error.strategy == strategy)
      #expect(try EventCodec().decode(AppError.self, from: EventCodec().encode(error)) == error)
    }
    #expect(Set(errors.map(\.1)) == Set(AppError.Strategy.allCases))
    #expect("\(AppError.tooManyRequests(retryAfter: 7))" == "too many requests. Try again in 7 s.")
    #expect(
      "\(AppError.noRoute(path: "/v1/search"))"
        == "the server has nothing at /v1/search. Is the address right?")
    #expect("\(AppError.notFound(what: "post p0"))" == "post p0 does not exist any more")
  }
}
