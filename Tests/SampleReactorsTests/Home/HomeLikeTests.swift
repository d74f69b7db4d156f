import EventStoreCore
import Refold
import SampleReactors
import Testing

@Suite("Home: likes", .timeLimit(.minutes(5)))
struct HomeLikeTests {
  private let like = HomeReactor.Action.toggleLike(postID: "p1", isLiked: true)

  @Test func whoever_is_logged_out_is_asked_to_sign_in() async throws {
    let home = try await Home.open()
    try await home.run(like)
    #expect(try await home.log() == ["1 action toggleLike", "2 mutation(1) setNeedsLogin"])
    #expect(home.state.needsLogin)
    #expect(home.state.$needsLogin.count == 1)
  }

  @Test func a_like_is_shown_at_once_and_success_adds_nothing_to_its_action() async throws {
    let home = try await Home.open(user: .mina)
    try await home.run(.fetchPostList)
    let likes = home.state.posts[0].likeCount
    try await home.run(like)
    #expect(home.state.posts[0].isLiked)
    #expect(home.state.posts[0].likeCount == likes + 1)
    #expect(home.state.likesInFlight.isEmpty)
    #expect(
      try await home.log(from: 8) == [
        "8 action toggleLike", "9 mutation(8) setLikeStatus(p1, true)", "10 pending(8)",
        "11 mutation(0) setLikeSettled", "12 completed(8)",
      ])
    try await home.run(.fetchPostList)
    #expect(home.state.posts[0].isLiked)
  }

  @Test func a_like_that_fails_is_rolled_back() async throws {
    let home = try await Home.open(user: .mina, gated: true)
    let fetch = try await home.session.send(.fetchPostList)
    await home.gate.next().answer()
    _ = await fetch.finished
    let before = home.state
    let receipt = try await home.session.send(like)
    #expect(home.state.posts[0].isLiked)
    await home.gate.next().fail(AppError.sessionExpired)
    _ = await receipt.finished
    #expect(
      try await home.log(from: 8) == [
        "8 action toggleLike", "9 mutation(8) setLikeStatus(p1, true)", "10 pending(8)",
        "11 mutation(8) setError", "12 mutation(8) setLikeStatus(p1, false)", "13 completed(8)",
      ])
    #expect(home.state.posts == before.posts)
    #expect(home.state.error?.strategy == .requireLogin)
    #expect(home.state.likesInFlight.isEmpty)
  }

  @Test func a_second_tap_while_one_is_in_flight_is_ignored() async throws {
    let home = try await Home.open(user: .mina, gated: true)
    let receipt = try await home.session.send(like)
    let held = await home.gate.next()
    let second = try await home.session.send(.toggleLike(postID: "p1", isLiked: false))
    try #require(second.version == second.seq, "the second tap led to something")
    #expect(home.state.likesInFlight.keys.sorted() == ["p1"])
    held.answer()
    _ = await receipt.finished
    #expect(
      try await home.log() == [
        "1 mutation(0) setUser", "2 action toggleLike", "3 mutation(2) setLikeStatus(p1, true)",
        "4 pending(2)", "5 action toggleLike", "6 mutation(0) setLikeSettled", "7 completed(2)",
      ])
    #expect(home.gate.count == 1)
    let again = try await home.session.send(.toggleLike(postID: "p1", isLiked: false))
    await home.gate.next().answer()
    _ = await again.finished
    #expect(home.gate.count == 2)
  }

  @Test func likes_of_several_posts_go_on_at_once_and_fail_alone() async throws {
    let home = try await Home.open(user: .mina, gated: true)
    let fetch = try await home.session.send(.fetchPostList)
    await home.gate.next().answer()
    _ = await fetch.finished
    let first = try await home.session.send(.toggleLike(postID: "p1", isLiked: true))
    let p1 = await home.gate.next()
    let second = try await home.session.send(.toggleLike(postID: "p2", isLiked: true))
    let p2 = await home.gate.next()
    p2.fail(AppError.network(reason: "lost"))
    _ = await second.finished
    p1.answer()
    _ = await first.finished
    #expect(home.state.posts[0].isLiked)
    #expect(!home.state.posts[1].isLiked)
  }

  @Test func a_refresh_does_not_undo_a_like_in_flight() async throws {
    let home = try await Home.open(user: .mina, gated: true)
    let receipt = try await home.session.send(like)
    let held = await home.gate.next()
    let fetch = try await home.session.send(.fetchPostList)
    await home.gate.next().answer()
    _ = await fetch.finished
    #expect(home.state.posts[0].isLiked)
    held.fail(AppError.conflict(code: "ALREADY_LIKED"))
    _ = await receipt.finished
    #expect(!home.state.posts[0].isLiked)
    #expect(home.state.posts[0] == MarketCatalogue.posts[0])
  }

  @Test func which_likes_are_in_flight_comes_back_from_the_log() async throws {
    let home = try await Home.open(user: .mina, gated: true)
    let receipt = try await home.session.send(like)
    let past = try TimeMachine(HomeReactor(), session: "home", in: home.store)
    #expect(try past.state(at: receipt.version).likesInFlight.keys.sorted() == ["p1"])
    await home.gate.next().answer()
    _ = await receipt.finished
    #expect(try past.state(at: try past.lastSeq).likesInFlight.isEmpty)
  }
}
