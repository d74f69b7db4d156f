import Refold
import SampleReactors
import Testing

@Suite("Home: the list of posts", .timeLimit(.minutes(5)))
struct HomeListTests {
  @Test func a_fetch_is_loading_then_the_page_then_no_loading() async throws {
    let home = try await Home.open()
    try await home.run(.fetchPostList)
    #expect(
      try await home.log() == [
        "1 action fetchPostList", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setFetchCompleted", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(30)))
    #expect(home.state.hasNextPage)
    #expect(home.state.currentPage == 1)
  }

  @Test func a_failed_fetch_is_loading_then_the_error_then_no_loading() async throws {
    let home = try await Home.open(gated: true)
    let receipt = try await home.session.send(.fetchPostList)
    await home.gate.next().fail(AppError.server(status: 503))
    _ = await receipt.finished
    #expect(
      try await home.log() == [
        "1 action fetchPostList", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setError", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(home.state.error == .server(status: 503))
    #expect(home.state.$error.count == 1)
    #expect(!home.state.isLoading)
  }

  @Test func later_pages_append() async throws {
    let home = try await Home.open()
    for action in [HomeReactor.Action.fetchPostList, .loadNextPage, .loadNextPage] {
      try await home.run(action)
    }
    #expect(
      try await home.log(from: 7) == [
        "7 action loadNextPage", "8 mutation(7) setLoading(true)", "9 pending(7)",
        "10 mutation(7) setFetchCompleted", "11 mutation(7) setLoading(false)", "12 completed(7)",
        "13 action loadNextPage", "14 mutation(13) setLoading(true)", "15 pending(13)",
        "16 mutation(13) setFetchCompleted", "17 mutation(13) setLoading(false)",
        "18 completed(13)",
      ])
    #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(90)))
    #expect(home.state.currentPage == 3)
  }

  @Test func the_next_page_is_not_asked_for_while_loading_or_at_the_end() async throws {
    let home = try await Home.open(gated: true)
    let fetch = try await home.session.send(.selectCategory(category: .only(.pet)))
    try await home.run(.loadNextPage)
    await home.gate.next().answer()
    _ = await fetch.finished
    let next = try await home.session.send(.loadNextPage)
    await home.gate.next().answer()
    _ = await next.finished
    #expect(home.state.posts.count == 40)
    #expect(!home.state.hasNextPage)
    try await home.run(.loadNextPage)
    #expect(
      try await home.log() == [
        "1 action selectCategory", "2 mutation(1) setSelectedCategory",
        "3 mutation(1) setLoading(true)", "4 pending(1)", "5 action loadNextPage",
        "6 mutation(1) setFetchCompleted", "7 mutation(1) setLoading(false)", "8 completed(1)",
        "9 action loadNextPage", "10 mutation(9) setLoading(true)", "11 pending(9)",
        "12 mutation(9) setFetchCompleted", "13 mutation(9) setLoading(false)", "14 completed(9)",
        "15 action loadNextPage",
      ])
  }

  @Test func the_first_page_comes_first_even_where_nothing_was_fetched_before() async throws {
    let home = try await Home.open()
    try await home.run(.loadNextPage)
    #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(30)))
    #expect(home.state.currentPage == 1)
  }

  @Test func a_refresh_after_page_3_starts_over_without_duplicates() async throws {
    let home = try await Home.open()
    try await home.run(.fetchPostList)
    try await home.run(.loadNextPage)
    try await home.run(.loadNextPage)
    try await home.run(.fetchPostList)
    #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(30)))
    #expect(home.state.currentPage == 1)
    try await home.run(.loadNextPage)
    #expect(home.state.posts == Array(MarketCatalogue.posts.prefix(60)))
  }

  @Test func a_failed_refresh_keeps_the_list_and_its_place() async throws {
    let home = try await Home.open(gated: true)
    for action in [HomeReactor.Action.fetchPostList, .loadNextPage] {
      let receipt = try await home.session.send(action)
      await home.gate.next().answer()
      _ = await receipt.finished
    }
    let refresh = try await home.session.send(.fetchPostList)
    await home.gate.next().fail(AppError.network(reason: "refused"))
    _ = await refresh.finished
    #expect(home.state.posts.count == 60)
    #expect(home.state.currentPage == 2)
  }

  @Test func the_same_category_emits_nothing() async throws {
    let home = try await Home.open()
    try await home.run(.selectCategory(category: .all))
    #expect(try await home.log() == ["1 action selectCategory"])
  }

  @Test func a_fast_change_of_category_ends_with_the_last_one() async throws {
    let home = try await Home.open(gated: true)
    let first = try await home.session.send(.selectCategory(category: .only(.beauty)))
    let beauty = await home.gate.next()
    let second = try await home.session.send(.selectCategory(category: .only(.food)))
    let food = await home.gate.next()
    food.answer()
    _ = await second.finished
    beauty.answer()
    guard case .cancelled = await first.finished else {
      Issue.record("the older fetch was not cancelled")
      return
    }
    try await home.session.close()
    #expect(home.state.categories == [.food])
    #expect(!home.state.isLoading)
    #expect(
      Set(try await home.log()) == [
        "1 action selectCategory", "2 mutation(1) setSelectedCategory",
        "3 mutation(1) setLoading(true)", "4 pending(1)",
        "5 action selectCategory", "6 mutation(5) setSelectedCategory",
        "7 mutation(5) setLoading(true)", "8 pending(5)", "9 cancelled(1)",
        "10 mutation(5) setFetchCompleted", "11 mutation(5) setLoading(false)", "12 completed(5)",
      ])
  }

  @Test func an_answer_that_comes_before_the_newer_one_does_not_land_either() async throws {
    let home = try await Home.open(gated: true)
    try await home.session.send(.selectCategory(category: .only(.beauty)))
    let beauty = await home.gate.next()
    let second = try await home.session.send(.selectCategory(category: .only(.food)))
    beauty.answer()
    await home.gate.next().answer()
    _ = await second.finished
    #expect(try await home.log().filter { $0.hasSuffix("setFetchCompleted") }.count == 1)
    #expect(home.state.categories == [.food])
  }

  @Test func a_next_page_in_flight_does_not_append_to_another_category() async throws {
    let home = try await Home.open(gated: true)
    let fetch = try await home.session.send(.fetchPostList)
    await home.gate.next().answer()
    _ = await fetch.finished
    let next = try await home.session.send(.loadNextPage)
    let late = await home.gate.next()
    let select = try await home.session.send(.selectCategory(category: .only(.kids)))
    await home.gate.next().answer()
    late.answer()
    _ = await (select.finished, next.finished)
    try await home.session.close()
    #expect(home.state.categories == [.kids])
    #expect(home.state.posts.count == 30)
    #expect(home.state.currentPage == 1)
    #expect(!home.state.isLoading)
  }

  @Test func a_page_of_another_list_changes_nothing_whoever_logged_it() {
    let reactor = HomeReactor()
    var state = reactor.initialState
    reactor.reduce(state: &state, mutation: .setSelectedCategory(.only(.food)))
    let expected = state
    for number in [1, 2, -1, .max] {
      let page = Page(query: PostQuery(), number: number, total: 520, posts: MarketCatalogue.posts)
      reactor.reduce(state: &state, mutation: .setFetchCompleted(page))
    }
    let skipped = Page(query: state.query, number: 3, total: 40, posts: MarketCatalogue.posts)
    reactor.reduce(state: &state, mutation: .setFetchCompleted(skipped))
    #expect(state == expected)
  }

  @Test func a_created_post_makes_the_list_start_over() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.postRegistrationCallback)
    #expect(
      try await home.log() == [
        "1 mutation(0) setUser", "2 action postRegistrationCallback",
        "3 mutation(2) setPostRegistrationCallback", "4 mutation(2) setLoading(true)",
        "5 pending(2)", "6 mutation(2) setFetchCompleted", "7 mutation(2) setLoading(false)",
        "8 completed(2)",
      ])
  }
}
