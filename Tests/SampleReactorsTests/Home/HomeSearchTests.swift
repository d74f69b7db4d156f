import Refold
import SampleReactors
import Testing

@Suite("Home: search", .timeLimit(.minutes(5)))
struct HomeSearchTests {
  @Test func a_search_is_loading_then_the_keyword_then_the_page() async throws {
    let home = try await Home.open()
    let receipt = try await home.session.send(.searchKeyword(keyword: "handmade"))
    #expect(home.state.searchKeyword == "handmade")
    #expect(home.state.isLoading)
    await home.clock.begun(1)
    home.clock.advance(by: .milliseconds(300))
    _ = await receipt.finished
    #expect(
      try await home.log() == [
        "1 action searchKeyword", "2 mutation(1) setLoading(true)", "3 mutation(1) setKeyword",
        "4 pending(1)", "5 mutation(1) setFetchCompleted", "6 mutation(1) setLoading(false)",
        "7 completed(1)",
      ])
    #expect(home.state.posts.count == 30)
    #expect(home.state.posts.allSatisfy { $0.title.hasPrefix("Handmade") })
  }

  @Test func nothing_is_asked_for_until_typing_has_paused_for_300_ms() async throws {
    let home = try await Home.open(gated: true)
    try await home.session.send(.searchKeyword(keyword: "h"))
    await home.clock.begun(1)
    home.clock.advance(by: .milliseconds(299))
    try await home.session.send(.searchKeyword(keyword: "ha"))
    await home.clock.begun(2)
    home.clock.advance(by: .milliseconds(299))
    #expect(home.gate.count == 0)
    home.clock.advance(by: .milliseconds(1))
    let call = await home.gate.next()
    #expect(call.call == .posts(PostQuery(keyword: "ha"), page: 1))
    call.answer()
    await home.session.finishEffects()
    #expect(home.gate.count == 1)
    #expect(!home.state.isLoading)
    #expect(try await home.log().filter { $0.hasSuffix("setFetchCompleted") }.count == 1)
  }

  @Test func the_same_keyword_emits_nothing() async throws {
    let home = try await Home.open()
    try await home.run(.searchKeyword(keyword: ""))
    #expect(try await home.log() == ["1 action searchKeyword"])
  }

  @Test func a_newer_search_drops_the_result_of_the_older_one() async throws {
    let home = try await Home.open(gated: true)
    try await home.session.send(.searchKeyword(keyword: "fresh"))
    await home.clock.begun(1)
    home.clock.advance(by: .milliseconds(300))
    let fresh = await home.gate.next()
    let newer = try await home.session.send(.searchKeyword(keyword: "family"))
    fresh.answer()
    await home.clock.begun(2)
    home.clock.advance(by: .milliseconds(300))
    await home.gate.next().answer()
    _ = await newer.finished
    #expect(try await home.log().filter { $0.hasSuffix("setFetchCompleted") }.count == 1)
    #expect(home.state.posts.allSatisfy { $0.title.hasPrefix("Family") })
    #expect(home.state.posts.count == 30)
    #expect(!home.state.isLoading)
  }

  @Test func a_category_chosen_while_a_search_waits_is_searched_with_its_keyword() async throws {
    let home = try await Home.open()
    let search = try await home.session.send(.searchKeyword(keyword: "limited"))
    let select = try await home.session.send(.selectCategory(category: .only(.books)))
    _ = await (search.finished, select.finished)
    #expect(home.state.query == PostQuery(category: .only(.books), keyword: "limited"))
    #expect(home.state.posts.count == 8)
    #expect(home.state.categories == [.books])
    #expect(!home.state.isLoading)
  }

  @Test func a_page_after_a_search_is_one_of_the_search() async throws {
    let home = try await Home.open()
    let receipt = try await home.session.send(.searchKeyword(keyword: "everyday"))
    await home.clock.begun(1)
    home.clock.advance(by: .milliseconds(300))
    _ = await receipt.finished
    try await home.run(.loadNextPage)
    #expect(home.state.posts.count == 60)
    #expect(home.state.posts.allSatisfy { $0.title.hasPrefix("Everyday") })
  }

  @Test func the_keyword_comes_back_from_the_log() async throws {
    let home = try await Home.open()
    try await home.session.send(.searchKeyword(keyword: "pouch"))
    try await home.session.close()
    let past = try TimeMachine(HomeReactor(), session: "home", in: home.store)
    #expect(try past.state(at: try past.lastSeq).searchKeyword == "pouch")
  }
}
