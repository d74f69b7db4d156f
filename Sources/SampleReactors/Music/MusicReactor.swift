import Refold

/// A music shop's front: five requests at once, five sections in a fixed order.
///
/// All or nothing: the first request that fails cancels the others, and nothing is shown but its
/// message. The session lives on, and the next `viewDidLoad` starts over. A `viewDidLoad` while one
/// is on its way cancels that one, with its requests, and nothing of it lands any more.
///
/// `HomeViewModel` shows it in the manner of Input and Output.
public struct MusicReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// The screen is there: fetch what it shows.
    case viewDidLoad
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether the five requests are on their way.
    case setLoading(Bool)
    /// What to show: all five sections, or none after a failure.
    case setSections([MusicSection])
    /// One of the five failed.
    case setError(AppError)
  }

  /// The sections, and what has to be shown once.
  public struct State: Codable, Equatable, Sendable {
    /// Whether the five requests are on their way.
    public var isLoading = false
    /// All five sections in the order of `MusicSectionKind`, or none.
    public var sections: [MusicSection] = []
    /// What went wrong, for people.
    @Pulse public var errorMessage: String?
  }

  /// Nothing fetched.
  public let initialState = State()

  private let service: any MusicService

  /// A reactor.
  ///
  /// - Parameter service: the shop; by default the embedded one.
  public init(service: any MusicService = EmbeddedMusicService()) { self.service = service }

  private enum CancelID: Hashable {
    case load
  }

  /// One of each action.
  public static var exampleActions: [Action] { [.viewDidLoad] }

  /// Not loading, where a fetch was left unfinished.
  public func recover(state: State) -> Mutation? { state.isLoading ? .setLoading(false) : nil }

  /// Loading, then the sections and no loading; or no loading, the error, and no sections.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .viewDidLoad:
      .concat(
        .just(.setLoading(true)),
        sections
          .flatMap { .of(.setSections($0), .setLoading(false)) }
          .catch { .of(.setLoading(false), .setError(AppError($0)), .setSections([])) }
      )
      .cancellable(id: CancelID.load, cancelInFlight: true)
    }
  }

  /// The five sections once all five answers are there, whatever the order in which they came.
  private var sections: Effect<[MusicSection]> {
    .zip(
      MusicEndpoint.allCases.map { endpoint in
        .task { [service] in
          MusicSection(endpoint, answer: try await service.items(of: endpoint))
        }
      })
  }

  /// Applies `mutation`.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setSections(let sections): state.sections = sections
    case .setError(let error): state.errorMessage = "\(error)"
    }
  }
}
