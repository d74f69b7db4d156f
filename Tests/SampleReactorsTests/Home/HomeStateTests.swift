import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Home: state and sections", .timeLimit(.minutes(5)))
struct HomeStateTests {
  private let reactor = HomeReactor()

  @Test func sections_are_14_categories_a_banner_and_the_posts() {
    var state = reactor.initialState
    #expect(state.sections.map(\.id) == [.categories, .banner, .posts])
    #expect(state.sections.map(\.items.count) == [14, 1, 0])
    let posts = Array(MarketCatalogue.posts.prefix(7))
    reactor.reduce(
      state: &state,
      mutation: .setFetchCompleted(
        Page(query: state.query, number: 1, total: 7, posts: posts)))
    #expect(state.sections.map(\.items.count) == [14, 1, 7])
    #expect(!state.hasNextPage)
  }

  @Test func a_page_that_adds_nothing_ends_the_list() {
    var state = reactor.initialState
    let posts = Array(MarketCatalogue.posts.prefix(30))
    for number in 1...2 {
      #expect(state.hasNextPage)
      reactor.reduce(
        state: &state,
        mutation: .setFetchCompleted(
          Page(query: state.query, number: number, total: 520, posts: posts)))
    }
    #expect(state.posts == posts)
    #expect(!state.hasNextPage)
  }

  @Test func five_skeletons_are_there_only_while_loading_with_no_posts() {
    var state = reactor.initialState
    reactor.reduce(state: &state, mutation: .setLoading(true))
    #expect(state.sections[2].items == (0..<5).map(HomeItem.skeleton))
    let page = Page(
      query: state.query, number: 1, total: 1, posts: Array(MarketCatalogue.posts.prefix(1)))
    reactor.reduce(state: &state, mutation: .setFetchCompleted(page))
    #expect(state.isLoading)
    #expect(state.sections[2].items.count == 1)
    reactor.reduce(state: &state, mutation: .setSelectedCategory(.only(.pet)))
    #expect(state.sections[2].items.count == 5)
    reactor.reduce(state: &state, mutation: .setLoading(false))
    #expect(state.sections[2].items.isEmpty)
  }

  @Test func exactly_the_chosen_category_is_selected() {
    var state = reactor.initialState
    reactor.reduce(state: &state, mutation: .setSelectedCategory(.only(.fashion)))
    let selected = state.sections[0].items.filter { item in
      if case .category(_, true) = item { return true }
      return false
    }
    #expect(selected == [.category(filter: .only(.fashion), isSelected: true)])
  }

  @Test func an_item_of_a_post_changes_with_its_like() {
    var state = reactor.initialState
    let posts = Array(MarketCatalogue.posts.prefix(2))
    reactor.reduce(
      state: &state,
      mutation: .setFetchCompleted(Page(query: state.query, number: 1, total: 2, posts: posts)))
    let before = state.sections[2].items
    reactor.reduce(
      state: &state, mutation: .setLikeStatus(postID: "p2", isLiked: true, isInFlight: true))
    let after = state.sections[2].items
    #expect(before[0] == after[0])
    #expect(after[1] == .post(id: "p2", isLiked: true, likeCount: posts[1].likeCount + 1))
  }

  @Test func a_post_that_moved_to_the_next_page_is_listed_once() {
    var state = reactor.initialState
    for (number, range) in [(1, 0..<30), (2, 29..<59)] {
      let page = Page(
        query: state.query, number: number, total: 520, posts: Array(MarketCatalogue.posts[range]))
      reactor.reduce(state: &state, mutation: .setFetchCompleted(page))
    }
    #expect(state.posts == Array(MarketCatalogue.posts.prefix(59)))
  }

  @Test func an_empty_page_is_the_last_one_whatever_it_says() {
    var state = reactor.initialState
    reactor.reduce(
      state: &state,
      mutation: .setFetchCompleted(Page(query: state.query, number: 1, total: 520, posts: [])))
    #expect(!state.hasNextPage)
  }

  @Test func a_state_comes_back_from_its_JSON() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.selectCategory(category: .only(.books)))
    try await home.run(.toggleLike(postID: "p12", isLiked: true))
    try await home.run(.toggleLike(postID: "nobody's", isLiked: true))
    try await home.run(.tapCreatePost)
    let state = home.state
    #expect(state.$error.count == 1)
    let bytes = try EventCodec().encode(state)
    #expect(try EventCodec().decode(HomeReactor.State.self, from: bytes) == state)
    let initial = try EventCodec().encode(reactor.initialState)
    #expect(try EventCodec().decode(HomeReactor.State.self, from: initial) == reactor.initialState)
  }

  @Test func every_property_is_in_the_JSON_and_comes_back_from_it() throws {
    let (initial, changed) = (reactor.initialState, try Self.changedThroughout())
    let names = Self.texts(of: changed)
    for (name, text) in Self.texts(of: initial) {
      #expect(names[name] != text, "\(name) is as it was: change it in changedThroughout()")
    }
    let bytes = try EventCodec().encode(changed)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let keys = try #require(object).keys
    #expect(Set(keys) == Set(names.keys).union(["sections"]))
    let back = try EventCodec().decode(HomeReactor.State.self, from: bytes)
    #expect(Self.texts(of: back) == names)
    #expect(back == changed)
  }

  /// A state that has nothing in common with the initial one.
  private static func changedThroughout() throws -> HomeReactor.State {
    let reactor = HomeReactor()
    var state = reactor.initialState
    let post = try #require(MarketCatalogue.posts.first)
    let mutations: [HomeReactor.Mutation] = [
      .setUser(.mina), .setLoading(true), .setInterrupted, .setKeyword("set"),
      .setSelectedCategory(.only(post.category)), .setFABVisible(true),
      .setError(.sessionExpired), .setNeedsLogin, .setLoginConfirmed, .setShowTop10,
      .setCreatePostOpen, .setRegisterInfluencerOpen, .setFABMenuOpen(true),
      .setLikeStatus(postID: post.id, isLiked: true, isInFlight: true),
    ]
    for mutation in mutations { reactor.reduce(state: &state, mutation: mutation) }
    (state.posts, state.currentPage, state.hasNextPage, state.isLoading) = ([post], 7, false, true)
    return state
  }

  /// The stored properties of `state` by name, each as a text. A pulse is stored with an underscore.
  private static func texts(of state: HomeReactor.State) -> [String: String] {
    let children = Mirror(reflecting: state).children.map { child in
      let label = child.label ?? ""
      return (label.hasPrefix("_") ? String(label.dropFirst()) : label, "\(child.value)")
    }
    return Dictionary(children) { first, _ in first }
  }

  @Test func the_fields_of_the_JSON_are_those_that_people_know() throws {
    let bytes = try EventCodec().encode(reactor.initialState)
    let object = try JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
    let fields = try #require(object)
    #expect(
      fields.keys.sorted() == [
        "currentPage", "error", "hasNextPage", "isFABMenuOpen", "isFABVisible", "isLoading",
        "likesInFlight", "loginConfirmed", "needsLogin", "openCreatePost",
        "openRegisterInfluencer", "posts", "searchKeyword", "sections", "selectedCategory",
        "showTop10", "user", "wasInterrupted",
      ])
    #expect(fields["currentPage"] as? Int == 1)
    #expect(fields["hasNextPage"] as? Bool == true)
    #expect(fields["selectedCategory"] as? String == "all")
  }
}
