import Refold

/// The smallest reactor that asks a network: a text, whether it is being fetched, and what went wrong.
///
/// However a fetch ends, `isLoading` is false then: also when the server refuses, fails, or answers
/// with what is no text. A newer fetch cancels the older one, with its request, and nothing of that
/// lands any more.
public struct NetworkReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Fetch the text, and give up what is being fetched.
    case fetchData
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether the text is being fetched.
    case setLoading(Bool)
    /// The text has come.
    case setData(String)
    /// It has not, and why.
    case setError(AppError)
  }

  /// The text, and what has to be shown once.
  public struct State: Codable, Equatable, Sendable {
    /// Whether the text is being fetched.
    public var isLoading = false
    /// The text that was fetched last; a fetch that failed leaves it.
    public var data: String?
    /// What went wrong.
    @Pulse public var error: AppError?
  }

  /// Nothing fetched.
  public let initialState = State()

  private let service: any NetworkService

  /// A reactor.
  ///
  /// - Parameter service: where the text comes from; by default the embedded one.
  public init(service: any NetworkService = EmbeddedNetworkService()) { self.service = service }

  private enum CancelID: Hashable {
    case fetch
  }

  /// One of each action.
  public static var exampleActions: [Action] { [.fetchData] }

  /// Not loading, where a fetch was left unfinished.
  public func recover(state: State) -> Mutation? { state.isLoading ? .setLoading(false) : nil }

  /// Loading, the text or the error, no loading.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .fetchData:
      .concat(
        .just(.setLoading(true)),
        .callAPI { [service] in
          .setData(try await service.fetchData())
        } onError: { error in
          .just(.setError(AppError(error)))
        },
        .just(.setLoading(false))
      )
      .cancellable(id: CancelID.fetch, cancelInFlight: true)
    }
  }

  /// Applies `mutation`.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setData(let text): state.data = text
    case .setError(let error): state.error = error
    }
  }
}
