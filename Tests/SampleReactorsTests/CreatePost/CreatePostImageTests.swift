import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Create a post: the picture", .timeLimit(.minutes(5)))
struct CreatePostImageTests {
  @Test func is_uploading_then_there_then_no_uploading() async throws {
    let post = try await CreatePost.open()
    try await post.screen.run(.didSelectImage(image: Data(count: 7)))
    #expect(
      try await post.screen.log() == [
        "1 action didSelectImage", "2 mutation(1) setImageUploading(true)", "3 pending(1)",
        "4 mutation(1) setImageUploadURL", "5 mutation(1) setImageUploading(false)",
        "6 completed(1)",
      ])
    #expect(post.state.imageUploadURL?.absoluteString == "market://images/7")
  }

  @Test func that_is_not_uploaded_is_none_and_an_error() async throws {
    let market = StubMarket()
    let post = try await CreatePost.open(market)
    try await post.screen.run(.didSelectImage(image: Data(count: 7)))
    market.change { $0.upload = { _ in throw AppError.network(reason: "lost") } }
    try await post.screen.run(.didSelectImage(image: Data(count: 8)))
    #expect(
      try await post.screen.mutations(after: 6) == [
        "setImageUploading(true)", "setImageUploadURL", "setError", "setImageUploading(false)",
      ])
    #expect(post.state.imageUploadURL == nil)
    #expect(post.state.error == .network(reason: "lost"))
  }

  @Test func of_more_than_10_MiB_is_an_error_and_nothing_else() async throws {
    let limit = PostImage.maximumBytes
    #expect(limit == 10 * 1024 * 1024)
    let post = try await CreatePost.open()
    try await post.screen.run(.didSelectImage(image: Data(count: 7)))
    try await post.screen.run(.didSelectImage(image: Data(count: limit + 1)))
    #expect(try await post.screen.mutations(after: 6) == ["setError"])
    #expect(
      post.state.error == .tooLarge(what: "the image", bytes: limit + 1, limit: limit))
    #expect(post.state.error?.strategy == .userGuide)
    #expect(post.state.imageUploadURL?.absoluteString == "market://images/7")
    #expect(post.market.calls == ["upload 7"])
    try await post.screen.run(.didSelectImage(image: Data(count: limit)))
    #expect(post.market.calls == ["upload 7", "upload \(limit)"])
  }

  @Test func that_was_chosen_last_wins() async throws {
    let (barrier, market) = (Barrier(), StubMarket())
    let answer = { @Sendable (image: Data) throws -> URL in
      try #require(URL(string: "market://images/\(image.count)"))
    }
    market.change {
      $0.upload = { image in
        if image.count == 1 { await barrier.pass() }
        return try answer(image)
      }
    }
    let post = try await CreatePost.open(market)
    let older = try await post.screen.session.send(.didSelectImage(image: Data(count: 1)))
    await barrier.arrived(1)
    try await post.screen.run(.didSelectImage(image: Data(count: 2)))
    barrier.open()
    #expect(await older.finished.isCancelled)
    #expect(post.state.imageUploadURL?.absoluteString == "market://images/2")
    #expect(!post.state.isImageUploading)
  }

  @Test func that_is_on_its_way_keeps_the_form_from_being_submitted() async throws {
    let (barrier, market) = (Barrier(), StubMarket())
    let post = try await CreatePost.open(market)
    try await post.fillIn()
    let answer = try #require(post.state.imageUploadURL)
    market.change {
      $0.upload = { _ in
        await barrier.pass()
        return answer
      }
    }
    let upload = try await post.screen.session.send(.didSelectImage(image: Data(count: 9)))
    await barrier.arrived(1)
    #expect(!post.state.isSubmitEnabled)
    let killed = try post.screen.storeOfAKilledProcess()
    barrier.open()
    _ = await upload.finished
    #expect(post.state.isSubmitEnabled)
    let again = try await CreatePost.open(store: killed)
    await again.screen.session.finishEffects()
    #expect(!again.state.isImageUploading)
    #expect(again.state.isSubmitEnabled)
  }
}
