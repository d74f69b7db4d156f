/// Who this device belongs to when an app starts: asks the server about the token that the device
/// keeps, and tells the user store.
///
/// | token, and what the server says to it | outcome |
/// | --- | --- |
/// | no token | anonymous sign-in, user store cleared, `anonymous` |
/// | a user | user store set, `authenticated` |
/// | no user | user store cleared, `anonymous` |
/// | session expired or invalid credentials, social account | both cleared, `unauthenticated` |
/// | session expired, anonymous account | as for no token |
/// | network error, keychain not found | that error, nothing touched |
/// | any other error | `AppError.unknown`, nothing touched |
///
/// An anonymous sign-in that fails is an error like any other, and touches nothing.
public struct CheckAuthOnLaunch: Sendable {
  private let auth: any AuthService
  private let tokens: any TokenStore
  private let users: UserStore

  /// A check of these parts.
  public init(auth: any AuthService, tokens: any TokenStore, users: UserStore) {
    self.auth = auth
    self.tokens = tokens
    self.users = users
  }

  /// Checks, once.
  ///
  /// - Throws: `AppError.network`, `.keychainNotFound` or `.unknown`; `CancellationError`, and then
  ///   nothing was touched.
  public func callAsFunction() async throws -> AuthState {
    do {
      return try await outcome()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Self.told(AppError(error))
    }
  }

  private func outcome() async throws -> AuthState {
    guard let token = try tokens.token() else { return try await signInAnonymously() }
    let user: User?
    do {
      user = try await auth.me()
    } catch AppError.sessionExpired where token.isAnonymous {
      return try await signInAnonymously()
    } catch let error as AppError where error.strategy == .requireLogin && !token.isAnonymous {
      try Task.checkCancellation()
      try tokens.clear()
      users.clear()
      return .unauthenticated
    }
    try Task.checkCancellation()
    guard let user else {
      users.clear()
      return .anonymous
    }
    users.setUser(user)
    return .authenticated(user)
  }

  private func signInAnonymously() async throws -> AuthState {
    let token = try await auth.signInAnonymously()
    try Task.checkCancellation()
    try tokens.save(token)
    users.clear()
    return .anonymous
  }

  private static func told(_ error: AppError) -> AppError {
    switch error {
    case .network, .keychainNotFound, .unknown: error
    case .badRequest, .sessionExpired, .invalidCredentials, .notFound, .conflict, .tooLarge,
      .tooManyRequests, .server, .undecodable:
      .unknown(reason: "\(error)")
    }
  }
}
