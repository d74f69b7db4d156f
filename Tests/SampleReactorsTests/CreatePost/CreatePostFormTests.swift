import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Create a post: the form", .timeLimit(.minutes(5)))
struct CreatePostFormTests {
  @Test func is_recorded_under_the_name_that_people_know() {
    #expect(CreatePostReactor.name == "create-post")
  }

  @Test(
    arguments: [
      (.selectInfluencer(influencer: MarketCatalogue.influencers[1]), "setInfluencer"),
      (.tapImagePicker, "setOpenImagePicker"), (.inputProductName(name: "Apron"), "setProductName"),
      (.inputPrice(price: 5), "setPrice"), (.inputPrice(price: nil), "setPrice"),
      (.selectCategory(category: .pet), "setCategory"),
      (.selectStartDate(date: .day(1)), "setStartDate"),
      (.selectEndDate(date: .day(1)), "setEndDate"),
    ] as [(CreatePostReactor.Action, String)])
  func a_field_is_one_mutation(_ action: CreatePostReactor.Action, _ mutation: String) async throws
  {
    let post = try await CreatePost.open()
    try await post.screen.run(action)
    #expect(try await post.screen.mutations() == [mutation])
  }

  @Test func every_tap_on_the_image_picker_counts() async throws {
    let post = try await CreatePost.open()
    for _ in 0..<2 { try await post.screen.run(.tapImagePicker) }
    #expect(post.state.openImagePicker)
    #expect(post.state.$openImagePicker.count == 2)
  }

  @Test func can_be_submitted_once_it_is_complete_whatever_comes_last() async throws {
    for last in CreatePost.form.indices {
      let post = try await CreatePost.open()
      for index in CreatePost.form.indices where index != last {
        try await post.screen.run(CreatePost.form[index])
        #expect(!post.state.isSubmitEnabled)
      }
      try await post.screen.run(CreatePost.form[last])
      #expect(post.state.isSubmitEnabled, "after \(CreatePost.form[last])")
    }
  }

  @Test(
    arguments: [
      .inputProductName(name: " \n"), .inputPrice(price: 0), .inputPrice(price: -1),
      .inputPrice(price: nil), .selectEndDate(date: .day(1.5)), .selectStartDate(date: .day(3.5)),
    ] as [CreatePostReactor.Action])
  func cannot_be_submitted_any_more_after(_ action: CreatePostReactor.Action) async throws {
    let post = try await CreatePost.open()
    try await post.fillIn()
    try await post.screen.run(action)
    #expect(!post.state.isSubmitEnabled)
    let length = try await post.screen.log().count
    try await post.screen.run(.tapSubmit)
    #expect(try await post.screen.log(from: length + 1) == ["\(length + 1) action tapSubmit"])
  }

  @Test func a_start_later_than_the_end_minus_a_day_clears_the_end() async throws {
    let post = try await CreatePost.open()
    try await post.screen.run(.selectEndDate(date: .day(5)))
    try await post.screen.run(.selectStartDate(date: .day(4)))
    #expect(post.state.endDate == .day(5))
    try await post.screen.run(.selectStartDate(date: .day(4).addingTimeInterval(1)))
    #expect(post.state.endDate == nil)
    #expect(post.state.startDate == .day(4).addingTimeInterval(1))
    #expect(
      try await post.screen.mutations() == [
        "setEndDate", "setStartDate", "setStartDate", "setEndDate",
      ])
  }

  @Test func a_submit_is_loading_then_success_then_no_loading() async throws {
    let post = try await CreatePost.open()
    try await post.fillIn()
    let length = try await post.screen.log().count
    try await post.screen.run(.tapSubmit)
    #expect(
      try await post.screen.mutations(after: length) == [
        "setLoading(true)", "setSubmitSuccess", "setLoading(false)",
      ])
    #expect(post.state.submitSuccess == MarketCatalogue.posts[0])
    #expect(post.state.$submitSuccess.count == 1)
    #expect(post.market.calls.last == "create Apron")
  }

  @Test(
    arguments: [
      .sessionExpired, .invalidCredentials, .conflict(code: "DUPLICATE_POST"),
    ] as [AppError])
  func a_submit_that_fails_says_why_and_keeps_the_form(_ error: AppError) async throws {
    let post = try await CreatePost.open(StubMarket { $0.create = { _ in throw error } })
    try await post.fillIn()
    let length = try await post.screen.log().count
    try await post.screen.run(.tapSubmit)
    #expect(
      try await post.screen.mutations(after: length) == [
        "setLoading(true)", "setError", "setLoading(false)",
      ])
    #expect(post.state.error == error)
    #expect(post.state.isSubmitEnabled)
  }

  @Test func a_second_submit_while_one_runs_is_ignored() async throws {
    let barrier = Barrier()
    let post = try await CreatePost.open(
      StubMarket {
        $0.create = { _ in
          await barrier.pass()
          return MarketCatalogue.posts[0]
        }
      })
    try await post.fillIn()
    let first = try await post.screen.session.send(.tapSubmit)
    await barrier.arrived(1)
    #expect(!post.state.isSubmitEnabled)
    let second = try await post.screen.session.send(.tapSubmit)
    #expect(second.version == second.seq)
    barrier.open()
    _ = await first.finished
    #expect(post.market.calls.count { $0.hasPrefix("create") } == 1)
  }

  @Test func a_start_in_the_far_future_clears_no_end_where_none_was_chosen() async throws {
    let post = try await CreatePost.open()
    try await post.screen.run(.selectStartDate(date: .distantFuture))
    #expect(try await post.screen.mutations() == ["setStartDate"])
  }

  @Test func a_submit_or_an_upload_that_a_crash_interrupted_does_not_block_the_form() async throws {
    let barrier = Barrier()
    let market = StubMarket()
    let post = try await CreatePost.open(market)
    try await post.fillIn()
    market.change {
      $0.create = { _ in
        await barrier.pass()
        return MarketCatalogue.posts[0]
      }
    }
    try await post.screen.session.send(.tapSubmit)
    await barrier.arrived(1)
    let again = try await CreatePost.open(store: try post.screen.storeOfAKilledProcess())
    await again.screen.session.finishEffects()
    #expect(again.state.isSubmitEnabled)
    try await again.screen.run(.tapSubmit)
    #expect(again.state.submitSuccess != nil)
    barrier.open()
    await post.screen.session.finishEffects()
  }
}
