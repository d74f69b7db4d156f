import EventStoreCore
import Foundation
import Refold
import SampleReactors

/// A session of the screen to create a post, and everything around it that a test moves.
struct CreatePost {
  let market: StubMarket
  let clock: ManualClock
  let screen: Screen<CreatePostReactor>

  static func open(
    _ market: StubMarket = StubMarket(), clock: ManualClock = ManualClock(),
    store: InMemoryEventStore = InMemoryEventStore(), options: SessionOptions = SessionOptions()
  ) async throws -> CreatePost {
    let reactor = CreatePostReactor(service: market, clock: clock)
    return CreatePost(
      market: market, clock: clock,
      screen: try await Screen.open(reactor, store: store, options: options))
  }

  var state: CreatePostReactor.State { screen.state }

  /// Everything that a complete form takes.
  static let form: [CreatePostReactor.Action] = [
    .selectInfluencer(influencer: MarketCatalogue.influencers[0]),
    .didSelectImage(image: Data(count: 3)), .inputProductName(name: "Apron"),
    .inputPrice(price: 24_000), .selectCategory(category: .kitchen),
    .selectStartDate(date: .day(1)), .selectEndDate(date: .day(4)),
  ]

  func fillIn() async throws {
    for action in Self.form { try await screen.run(action) }
  }

  /// Sends a search, and lets its delay pass as the `count`th of this clock.
  func search(_ keyword: String, delay count: Int) async throws {
    let receipt = try await screen.session.send(.searchInfluencerKeyword(keyword: keyword))
    await clock.begun(count)
    clock.advance(by: .milliseconds(300))
    _ = await receipt.finished
  }
}

extension Date {
  /// The beginning of the day `number` of some month.
  static func day(_ number: Double) -> Date { Date(timeIntervalSince1970: number * 86_400) }
}
