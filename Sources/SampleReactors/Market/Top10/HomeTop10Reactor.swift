import Refold

/// The ten most liked posts.
public struct HomeTop10Reactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Fetch them. A fetch that runs is dropped.
    case fetchTop10Posts
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether the ten are being fetched.
    case setLoading(Bool)
    /// They have come, most liked first.
    case setFetchCompleted([Post])
    /// They have not, and why.
    case setError(AppError)
  }

  /// The screen with the ten.
  public struct State: Codable, Equatable, Sendable {
    /// The posts, most liked first.
    public var posts: [Post] = []
    /// Whether they are being fetched.
    public var isLoading = false
    /// What went wrong.
    @Pulse public var error: AppError?

    /// Nothing fetched.
    public init() {}
  }

  /// Nothing fetched.
  public let initialState = State()

  private let service: any Top10Service

  /// A screen that asks `service`.
  public init(_ service: any Top10Service) { self.service = service }

  /// The one action.
  public static var exampleActions: [Action] { [.fetchTop10Posts] }

  private enum CancelID: Hashable {
    case fetch
  }

  /// Not loading, where a fetch was left unfinished.
  public func recover(state: State) -> Mutation? { state.isLoading ? .setLoading(false) : nil }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .fetchTop10Posts:
      .concat(
        .just(.setLoading(true)),
        .callAPI { [service] in
          .setFetchCompleted(try await service.top10Posts())
        } onError: { error in
          .just(.setError(AppError(error)))
        },
        .just(.setLoading(false))
      )
      .cancellable(id: CancelID.fetch, cancelInFlight: true)
    }
  }

  /// Applies `mutation`. An error leaves the posts as they were; a post that came twice is there once.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setFetchCompleted(let posts):
      var listed: Set<Post.ID> = []
      state.posts = posts.filter { listed.insert($0.id).inserted }
    case .setError(let error): state.error = error
    }
  }
}
