import EventStoreCore
import Refold
import SampleReactors
import Testing

/// A home session over a store in memory, and everything around it that a test moves.
struct Home {
  let store: InMemoryEventStore
  let gate: Gate
  let clock: ManualClock
  let users: UserStore
  let session: Session<HomeReactor>

  /// - Parameter gated: whether calls of the service wait for the test.
  static func open(
    user: User? = nil, gated: Bool = false, store: InMemoryEventStore = InMemoryEventStore(),
    options: SessionOptions = SessionOptions()
  ) async throws -> Home {
    let (gate, clock, users) = (Gate(), ManualClock(), UserStore(user))
    let service = gated ? EmbeddedPostService(beforeAnswering: gate.pass) : EmbeddedPostService()
    let reactor = HomeReactor(service: service, users: users, clock: clock)
    let session = try await Session.open(reactor, named: "home", in: store, options: options)
    return Home(store: store, gate: gate, clock: clock, users: users, session: session)
  }

  var state: HomeReactor.State { session.currentState }

  /// Sends `action` and waits for its whole effect.
  @discardableResult
  func run(_ action: HomeReactor.Action) async throws -> EffectOutcome {
    try await session.send(action).finished
  }

  /// Lets the delay pass that stands before the request of a search.
  func passSearchDelay(of action: HomeReactor.Action) async {
    guard case .searchKeyword = action else { return }
    await clock.begun(1)
    clock.advance(by: .milliseconds(300))
  }

  /// The session's log, a line an event: `2 mutation(1) setLoading(true)`.
  func log(from first: Int = 1) async throws -> [String] {
    await session.finishEffects()
    return try events().filter { $0.header.seq.rawValue >= first }.map { event in
      let header = event.header
      let cause = header.kind == .action ? "" : "(\(header.cause))"
      return "\(header.seq) \(header.kind.name)\(cause)" + (try content(event))
    }
  }

  func events() throws -> [Event] {
    var events: [Event] = []
    try store.forEachEvent(of: session.info.id) { header, payload in
      events.append(Event(header: header, payload: payload.withUnsafeBytes { Array($0) }))
    }
    return events
  }

  private func content(_ event: Event) throws -> String {
    switch event.header.kind {
    case .action:
      " " + name(try EventCodec().decode(HomeReactor.Action.self, from: event.payload))
    case .mutation:
      switch try EventCodec().decode(HomeReactor.Mutation.self, from: event.payload) {
      case .setLoading(let isLoading): " setLoading(\(isLoading))"
      case .setLikeStatus(let id, let isLiked, _): " setLikeStatus(\(id), \(isLiked))"
      case let other: " " + name(other)
      }
    case .pending, .completed, .cancelled, .failed: ""
    }
  }

  private func name(_ value: some Any) -> String {
    Mirror(reflecting: value).children.first?.label ?? "\(value)"
  }
}

extension HomeReactor.State {
  var categories: Set<GroupBuyingCategory> { Set(posts.map(\.category)) }
  var ids: [String] { posts.map(\.id) }
}

extension User {
  static var mina: User { MarketCatalogue.users[0] }
}
