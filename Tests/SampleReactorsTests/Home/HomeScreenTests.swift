import Refold
import SampleReactors
import Sections
import Testing

@Suite("Home: its screen", .timeLimit(.minutes(5)))
struct HomeScreenTests {
  private let reactor = HomeReactor()

  private func state(_ mutations: HomeReactor.Mutation...) -> HomeReactor.State {
    mutations.reduce(into: reactor.initialState) { state, mutation in
      reactor.reduce(state: &state, mutation: mutation)
    }
  }

  private func page(_ posts: [Post], total: Int? = nil) -> HomeReactor.Mutation {
    .setFetchCompleted(
      Page(query: PostQuery(), number: 1, total: total ?? posts.count, posts: posts))
  }

  private let posts = Array(MarketCatalogue.posts.prefix(3))

  @Test func before_anything_is_fetched_says_nothing_of_posts() throws {
    let screen = try state().screen()
    #expect(screen.account == "Not signed in")
    #expect(screen.notices == [])
    #expect(screen.sections.map(\.layout) == [.chips, .banner, .list])
    #expect(screen.sections[2].footer == nil)
    #expect(screen.buttons == [])
  }

  @Test func marks_the_chosen_category_and_names_it_above_the_posts() throws {
    let screen = try state(.setSelectedCategory(.only(.pet))).screen()
    #expect(screen.sections[0].cells.count == 14)
    #expect(screen.sections[0].cells.filter { $0.look == .selected }.map(\.title) == ["Pet"])
    #expect(screen.sections[2].title == "Pet")
  }

  @Test func has_skeletons_while_the_first_posts_are_on_their_way() throws {
    let screen = try state(.setLoading(true)).screen()
    #expect(screen.notices == [Notice(.progress, "Loading posts")])
    #expect(screen.sections[2].cells.map(\.look) == Array(repeating: .placeholder, count: 5))
  }

  @Test func a_post_has_who_gathers_its_price_and_its_likes() throws {
    var post = posts[1]
    post.price = 1_234_567
    (post.likeCount, post.isLiked) = (1000, true)
    let cell = try state(page([post])).screen().sections[2].cells[0]
    #expect(cell.title == "Everyday food set")
    #expect(cell.lines == ["@weekend.jay · 1,234,567 won"])
    #expect(cell.badge == Cell.Badge("♥ 1,000", isOn: true))
  }

  @Test func says_whether_there_are_more_posts() throws {
    #expect(
      try state(page(posts, total: 9)).screen().sections[2].footer == "3 posts, and more below")
    #expect(try state(page(posts)).screen().sections[2].footer == "That is all: 3")
  }

  @Test func says_that_there_are_none_only_once_the_service_has() throws {
    #expect(try state(page([])).screen().sections[2].footer == "No posts yet")
    let failed = state(.setLoading(true), .setError(.server(status: 500)), .setLoading(false))
    #expect(try failed.screen().sections[2].footer == nil)
    let searching = try state(.setKeyword("zzz")).screen()
    #expect(searching.subtitle == "Search: zzz")
    #expect(searching.sections[2].footer == nil)
    let answer = Page(query: PostQuery(keyword: "zzz"), number: 1, total: 0, posts: [])
    let nothing = try state(.setKeyword("zzz"), .setFetchCompleted(answer)).screen()
    #expect(nothing.sections[2].footer == "Nothing found")
  }

  @Test func an_error_is_news_once() throws {
    let (before, after) = (state(), state(.setError(.server(status: 500))))
    #expect(
      try after.screen(since: before).notices
        == [Notice(.error, "the server failed with status 500. Try again.")])
    #expect(try after.screen(since: after).notices == [])
    #expect(try after.screen().notices == [])
  }

  @Test func an_error_is_shown_as_its_strategy_says() throws {
    let silent = try state(.setError(.keychainNotFound)).screen(since: state())
    #expect(silent.notices == [])
    let login = try state(.setError(.sessionExpired)).screen(since: state())
    #expect(login.notices.map(\.kind) == [.question])
    #expect(login.notices.first?.choices == ["Sign in", "Not now"])
  }

  @Test func what_needs_a_user_asks_and_what_opens_is_named() throws {
    let start = state()
    #expect(
      try state(.setNeedsLogin).screen(since: start).notices
        == [Notice(.question, "Sign in to go on", choices: ["Sign in", "Not now"])])
    for mutation in [
      HomeReactor.Mutation.setLoginConfirmed, .setShowTop10, .setCreatePostOpen,
      .setRegisterInfluencerOpen,
    ] {
      #expect(try state(mutation).screen(since: start).notices.map(\.kind) == [.news])
    }
  }

  @Test func who_is_signed_in_and_the_floating_button_are_in_their_corners() throws {
    let shown = [
      HomeReactor.Mutation.setUser(User(id: "u1", nickname: "Mina")), .setFABVisible(true),
    ]
    let screen = try state(shown[0], shown[1]).screen()
    #expect(screen.account == "Mina")
    #expect(screen.buttons == ["+"])
    let open = try state(shown[0], shown[1], .setFABMenuOpen(true)).screen()
    #expect(open.buttons == ["×", "Create a post", "Become an influencer"])
  }

  @Test func an_interrupted_fetch_can_be_tried_again() throws {
    let screen = try state(.setLoading(true), .setInterrupted).screen()
    #expect(screen.notices == [Notice(.error, "Loading was interrupted. Pull to try again.")])
  }

  @Test func hostile_titles_reach_neither_the_terminal_nor_the_page() throws {
    var post = posts[0]
    post.title = "<script>alert(1)</script>\u{1B}[2J\u{202E}"
    post.influencer.name = "\u{9B}31m<b>"
    let screen = try state(page([post])).screen()
    for drawn in [screen.text(), screen.html()] {
      #expect(!drawn.contains("\u{1B}"))
      #expect(!drawn.contains("\u{202E}"))
      #expect(!drawn.unicodeScalars.contains("\u{9B}"))
      #expect(drawn.contains("\\u{1b}[2J\\u{202e}"))
    }
    #expect(!screen.html().contains("<script"))
    #expect(screen.html().contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
  }

  @Test func a_like_is_one_update_and_a_category_two() throws {
    let listed = state(page(posts))
    var liked = listed
    reactor.reduce(
      state: &liked, mutation: .setLikeStatus(postID: "p2", isLiked: true, isInFlight: true))
    let like = try Changeset.diff(from: listed.sections, to: liked.sections)
    #expect(like.count == 1)
    #expect(like.first?.updatedItems.map(\.path) == [ItemPath(section: 2, item: 1)])

    var chosen = listed
    reactor.reduce(state: &chosen, mutation: .setSelectedCategory(.only(.beauty)))
    let category = try Changeset.diff(from: listed.sections, to: chosen.sections)
    #expect(category.count == 1)
    #expect(category.first?.updatedItems.map(\.item.id.description) == ["all", "beauty"])
    #expect(category.first?.deletedItems.count == 3)
  }

  @Test func the_sections_of_an_exported_state_are_types_with_items() throws {
    let bytes = try EventCodec().encode(state(.setLoading(true)).sections)
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.hasPrefix(#"[{"items":[{"category":{"filter":"all","isSelected":true}},"#))
    #expect(text.contains(#"],"type":"categories"},{"items":[{"top10":{}}],"type":"banner"},"#))
    #expect(text.contains(#"{"items":[{"skeleton":{"index":0}},{"skeleton":{"index":1}},"#))
    #expect(text.hasSuffix(#"{"skeleton":{"index":4}}],"type":"posts"}]"#))
  }
}
