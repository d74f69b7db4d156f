import EventStoreSQLite
import Refold

/// The Swift code of docs/PortingFromReactorKit.md.
enum PortingExamples {
  struct Post: Codable, Sendable {
    var id: Int
    var isLiked = false
  }

  protocol FeedService: Sendable {
    func posts() async throws -> [Post]
    func like(_ postID: Int) async throws
  }

  struct FeedReactor: Reactor {
    enum Action: Codable, Sendable {
      case refresh
      case like(postID: Int)
    }

    enum Mutation: Codable, Sendable {
      case setRefreshing(Bool)
      case setPosts([Post])
      case setLiked(postID: Int)
      case setError(String)
      case setUser(String?)
    }

    struct State: Codable, Sendable {
      var isRefreshing = false
      var posts: [Post] = []
      var user: String?
      @Pulse var error: String?
    }

    let initialState = State()
    let service: any FeedService
    let users: BehaviorRelay<String?>

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .refresh:
        guard !state.isRefreshing else { return .empty }
        return .concat(
          .just(.setRefreshing(true)),
          .task { [service] in .setPosts(try await service.posts()) }
            .catch { .just(.setError("\($0)")) },
          .just(.setRefreshing(false)))
      case .like(let postID):
        guard state.user != nil else { return .empty }
        return .task { [service] in
          try await service.like(postID)
          return .setLiked(postID: postID)
        }
      }
    }

    func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
      .merge(mutation, users.effect.map { .setUser($0) })
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setRefreshing(let isRefreshing): state.isRefreshing = isRefreshing
      case .setPosts(let posts): state.posts = posts
      case .setLiked(let postID):
        for index in state.posts.indices where state.posts[index].id == postID {
          state.posts[index].isLiked = true
        }
      case .setError(let error): state.error = error
      case .setUser(let user): state.user = user
      }
    }
  }

  static func open(_ service: any FeedService, _ users: BehaviorRelay<String?>) async throws {
    let store = try SQLiteEventStore(path: "app.sqlite")
    let session = try await Session.open(
      FeedReactor(service: service, users: users), named: "feed", in: store)
    try await session.send(.refresh)
  }
}
