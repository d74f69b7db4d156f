import Refold

/// The profile screen: who is signed in, and the ways out.
///
/// Who is signed in comes from the user store: whatever it says becomes a `setUser` with cause 0.
/// So a logout is `setLoading(true)`, `setUser(nil)` from the store, `setLoading(false)`, and every
/// other reactor that merges the store is signed out as well.
public struct ProfileReactor: Reactor {
  /// What can be asked for. What is tapped while a logout or a deletion runs is ignored.
  public enum Action: Codable, Equatable, Sendable {
    /// The screen is there: show who is signed in.
    case viewDidAppear
    /// Open the sign-in screen.
    case loginButtonTapped
    /// Sign this device out. It is signed out whatever the server says: whoever hands a phone on
    /// without a network relies on it. An error then tells that the server does not know yet.
    case logoutButtonTapped
    /// Delete the account for good. Where the server does not, everything stays as it is.
    case deleteAccountTapped
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Who is signed in, as the user store says; with cause 0 where it says so by itself.
    case setUser(User?)
    /// The sign-in screen is to be opened.
    case setLoginRequested
    /// Whether a logout or a deletion runs.
    case setLoading(Bool)
    /// A logout or a deletion failed.
    case setError(AppError)
    /// What ran in another run of this session does so no more. Cause 0.
    case setInterrupted
  }

  /// The profile screen.
  public struct State: Codable, Equatable, Sendable {
    /// Who is signed in, as the user store says.
    public var user: User?
    /// Whether a logout or a deletion runs.
    public var isLoading = false
    /// The sign-in screen is to be opened.
    @Pulse public var loginRequested = false
    /// What went wrong.
    @Pulse public var error: AppError?

    /// Nobody signed in.
    public init() {}
  }

  /// Nobody signed in.
  public let initialState = State()

  private let auth: any AuthService
  private let tokens: any TokenStore
  private let users: UserStore

  /// A profile screen.
  ///
  /// - Parameters:
  ///   - auth: knows the account.
  ///   - tokens: where the device's token is.
  ///   - users: says who is signed in, and is told of a logout.
  public init(auth: any AuthService, tokens: any TokenStore, users: UserStore) {
    self.auth = auth
    self.tokens = tokens
    self.users = users
  }

  /// One of each action.
  public static var exampleActions: [Action] {
    [.viewDidAppear, .loginButtonTapped, .logoutButtonTapped, .deleteAccountTapped]
  }

  /// `setInterrupted` where a logout or a deletion was left unfinished.
  public func recover(state: State) -> Mutation? { state.isLoading ? .setInterrupted : nil }

  /// Merges the user store.
  public func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    .merge(mutation, users.effect.map { .setUser($0) })
  }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .viewDidAppear: .just(.setUser(state.user))
    case .loginButtonTapped: .just(.setLoginRequested)
    case .logoutButtonTapped: state.isLoading ? .empty : logOut()
    case .deleteAccountTapped: state.isLoading ? .empty : deleteAccount(of: state.user)
    }
  }

  /// Applies `mutation`.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setUser(let user): state.user = user
    case .setLoginRequested: state.loginRequested = true
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setError(let error): state.error = error
    case .setInterrupted: state.isLoading = false
    }
  }
}

extension ProfileReactor {
  private func logOut() -> Effect<Mutation> {
    loading { [auth, tokens, users] in
      let failure = try await Self.failure {
        try await auth.signOut(with: tokens)
      }
      // Only a token that is gone is a logout: else the next launch would sign in again.
      try tokens.clear()
      users.clear()
      if let failure { throw failure }
    }
  }

  /// What is deleted is the account that the server knows this device by. So it is asked first
  /// whether that is the one on screen.
  private func deleteAccount(of user: User?) -> Effect<Mutation> {
    guard let user else { return .just(.setLoginRequested) }
    return loading { [auth, tokens, users] in
      guard try await auth.me()?.id == user.id else { throw AppError.sessionExpired }
      try await auth.deleteAccount()
      users.clear()
      try tokens.clear()
    }
  }

  /// `setLoading` around `work`, and `setError` for what it throws.
  private func loading(_ work: @escaping @Sendable () async throws -> Void) -> Effect<Mutation> {
    .concat(
      .just(.setLoading(true)),
      Effect.run { _ in try await work() }.catch { .just(.setError(AppError($0))) },
      .just(.setLoading(false)))
  }

  /// What `work` throws, cancellation apart.
  private static func failure(of work: () async throws -> Void) async throws -> AppError? {
    do {
      try await work()
      return nil
    } catch let error as CancellationError {
      throw error
    } catch {
      return AppError(error)
    }
  }
}

extension AuthService {
  /// Ends the sign-in at the server, where the device has one that the server still takes.
  fileprivate func signOut(with tokens: any TokenStore) async throws {
    guard try tokens.token() != nil else { return }
    do {
      try await signOut()
    } catch AppError.sessionExpired {}
  }
}
