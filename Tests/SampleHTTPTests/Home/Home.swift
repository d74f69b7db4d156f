import EventStoreCore
import Foundation
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Testing

/// A home session over HTTP, and the server behind it.
struct Home: Sendable {
  let server: MarketServer
  let store: InMemoryEventStore
  let session: Session<HomeReactor>

  private static let name = "home"

  /// Runs `body` with a session, closes it, and checks what holds at every position of its log.
  ///
  /// - Parameter isSettled: whether `body` leaves the session open, and nothing that must not be.
  static func run(
    as user: User? = .mina, isSettled: Bool = true, _ body: (Home) async throws -> Void
  ) async throws {
    try await MarketServer.run { server async throws in
      let url = try #require(URL(string: server.url))
      let services = HTTPServices().market(
        at: url, tokens: MemoryTokenStore(), userID: user?.id)
      let (store, users) = (InMemoryEventStore(), UserStore(user))
      let reactor = HomeReactor(service: services.posts, users: users)
      let session = try await Session.open(reactor, named: name, in: store)
      let home = Home(server: server, store: store, session: session)
      try await body(home)
      guard isSettled else { return try home.checkEveryPosition() }
      await session.finishEffects()
      try await session.close()
      try home.checkEveryPosition()
      #expect(!home.state.isLoading)
      #expect(home.state.likesInFlight.isEmpty)
    }
  }

  var state: HomeReactor.State { session.currentState }

  /// Sends `action` and waits for its whole effect.
  @discardableResult
  func run(_ action: HomeReactor.Action) async throws -> EffectOutcome {
    try await session.send(action).finished
  }

  /// The state at every position of the log, from the first.
  func states() throws -> [HomeReactor.State] {
    let past = try TimeMachine(HomeReactor(), session: Self.name, in: store)
    return try (0...past.lastSeq.rawValue).map { try past.state(at: Seq($0)) }
  }

  private func checkEveryPosition() throws {
    for (seq, state) in try states().enumerated() { state.check("at \(seq)") }
  }
}

extension HomeReactor.State {
  /// What must hold at any moment.
  fileprivate func check(_ place: Comment) {
    #expect(posts.allSatisfy { selectedCategory.includes($0.category) }, place)
    #expect(Set(posts.map(\.id)).count == posts.count, place)
    #expect(hasNextPage == (posts.isEmpty || posts.count < total), place)
    #expect(posts.isEmpty || posts.count == min(currentPage * Page.size, total), place)
    for post in posts {
      let counted = MarketCatalogue.posts.first { $0.id == post.id }?.likeCount
      #expect(post.likeCount == counted.map { post.isLiked ? $0 + 1 : $0 }, place)
    }
  }

  /// How many posts the market has of what is listed.
  private var total: Int {
    MarketCatalogue.posts.count { selectedCategory.includes($0.category) }
  }
}
