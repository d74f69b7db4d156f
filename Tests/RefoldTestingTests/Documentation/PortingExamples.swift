import EventStoreCore
import EventStoreSQLite
import Refold
import Testing

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
  @MainActor final class FeedView {
    private(set) var spinner: [Bool] = []
    private(set) var alerts: [String] = []
    private var watching: [Task<Void, Never>] = []

    func bind(_ session: Session<FeedReactor>) {
      watching = [
        Task { [weak self] in
          for await isRefreshing in session.driver(\.isRefreshing) {
            self?.showSpinner(isRefreshing)
          }
        },
        Task { [weak self] in
          for await error in session.pulse(\.$error) {
            if let error { self?.showAlert(error) }
          }
        },
      ]
    }

    /// Returns when the session has ended and everything was shown.
    func finish() async {
      for task in watching { await task.value }
    }

    private func showSpinner(_ isShown: Bool) { spinner.append(isShown) }
    private func showAlert(_ text: String) { alerts.append(text) }
  }
}

/// They run as well as they compile.
@Suite("The examples of docs/PortingFromReactorKit.md", .timeLimit(.minutes(5)))
struct PortingExamplesRun {
  private struct Offline: PortingExamples.FeedService, Error, CustomStringConvertible {
    let description = "there is no connection"
    func posts() async throws -> [PortingExamples.Post] { throw self }
    func like(_ postID: Int) async throws { throw self }
  }

  @Test @MainActor func a_view_shows_what_its_session_tells() async throws {
    let session = try await Session.open(
      PortingExamples.FeedReactor(service: Offline(), users: BehaviorRelay(nil)), named: "feed",
      in: InMemoryEventStore())
    let view = PortingExamples.FeedView()
    view.bind(session)
    while view.spinner.isEmpty { await Task.yield() }
    let receipt = try await session.send(.refresh)
    _ = await receipt.finished
    try await session.close()
    await view.finish()
    #expect(view.spinner.first == false)
    #expect(view.spinner.last == false)
    #expect(view.alerts == ["there is no connection"])
  }
}
