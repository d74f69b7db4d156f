import Refold

/// Finds out who the device belongs to when an app starts. The user store is told, and through it
/// every reactor that merges it.
public struct AuthReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Ask the server about the token that the device keeps. One that is being asked about is
    /// asked about anew.
    case checkAuth
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Who the device belongs to, by a check.
    case setAuthState(AuthState)
    /// A check came to no answer.
    case setError(AppError)
  }

  /// Who the device belongs to.
  public struct State: Codable, Equatable, Sendable {
    /// What the last check that came to an answer found; nil before the first.
    public var authState: AuthState?
    /// Why a check came to none.
    @Pulse public var error: AppError?

    /// Before any check.
    public init() {}
  }

  /// Nothing known yet.
  public let initialState = State()

  private let check: CheckAuthOnLaunch

  /// A reactor that asks `check`.
  public init(_ check: CheckAuthOnLaunch) { self.check = check }

  /// The one action.
  public static var exampleActions: [Action] { [.checkAuth] }

  private enum CancelID: Hashable {
    case check
  }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .checkAuth:
      .callAPI { [check] in
        .setAuthState(try await check())
      } onError: { error in
        .just(.setError(AppError(error)))
      }
      .cancellable(id: CancelID.check, cancelInFlight: true)
    }
  }

  /// Applies `mutation`. An error leaves the last answer as it was.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setAuthState(let authState): state.authState = authState
    case .setError(let error): state.error = error
    }
  }
}
