import Foundation

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
/// A network error is whatever says nothing about the token, as `TokenInterceptor` has it: a server
/// that cannot be reached, one that fails and one that has too many requests. Trying again helps.
///
/// An anonymous sign-in that fails is an error like any other, and touches nothing.
public struct CheckAuthOnLaunch: Sendable {
  private let auth: any AuthService
  private let tokens: any TokenStore
  private let users: UserStore
  private let before: @Sendable () async throws -> Void

  /// A check of these parts.
  ///
  /// - Parameter before: awaited before each check. What it throws is told as the check's own
  ///   error.
  public init(
    auth: any AuthService, tokens: any TokenStore, users: UserStore,
    before: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.auth = auth
    self.tokens = tokens
    self.users = users
    self.before = before
  }

  /// Checks, once.
  ///
  /// - Throws: `AppError.network`, `.server`, `.tooManyRequests`, `.keychainNotFound` or `.unknown`;
  ///   `CancellationError`, and then nothing was touched.
  public func callAsFunction() async throws -> AuthState {
    do {
      try await before()
      return try await outcome()
    } catch let error as CancellationError {
      throw error
    } catch {
      throw Self.told(AppError(error))
    }
  }

  /// - Parameter mayRepeat: whether to begin again where somebody signs in or out while the server
  ///   is asked: the check of a token that is not the device's any more must not touch the new one.
  ///   Not twice, since that could go on for ever. A renewal on the way is not another's token.
  private func outcome(mayRepeat: Bool = true) async throws -> AuthState {
    let token = try tokens.token()
    // An expired token is asked about as well: a service renews it on the way.
    guard let isAnonymous = TokenStatus(of: token, at: Date()).isAnonymous else {
      return try await signInAnonymously(insteadOf: nil, mayRepeat)
    }
    let user: User?
    do {
      user = try await auth.me()
      try Task.checkCancellation()
      if mayRepeat, try tokens.token() == nil { return try await outcome(mayRepeat: false) }
    } catch let error as AppError where error.strategy == .requireLogin {
      try Task.checkCancellation()
      if mayRepeat, try hasChanged(since: token) { return try await outcome(mayRepeat: false) }
      if !isAnonymous { return try signOut() }
      guard error == .sessionExpired else { throw error }
      return try await signInAnonymously(insteadOf: token, mayRepeat)
    }
    guard let user else {
      users.clear()
      return .anonymous
    }
    users.setUser(user)
    return .authenticated(user)
  }

  private func signOut() throws -> AuthState {
    try tokens.clear()
    users.clear()
    return .unauthenticated
  }

  private func signInAnonymously(
    insteadOf old: AuthToken?, _ mayRepeat: Bool
  ) async throws -> AuthState {
    let token = try await auth.signInAnonymously()
    try Task.checkCancellation()
    if mayRepeat, try hasChanged(since: old) { return try await outcome(mayRepeat: false) }
    try tokens.save(token)
    users.clear()
    return .anonymous
  }

  private func hasChanged(since token: AuthToken?) throws -> Bool {
    let present = try tokens.token()
    guard present?.access != token?.access else { return false }
    guard let present, let token else { return true }
    return !auth.isRenewal(present, of: token)
  }

  private static func told(_ error: AppError) -> AppError {
    switch error {
    case .network, .server, .tooManyRequests, .keychainNotFound, .unknown: error
    case .badRequest, .sessionExpired, .invalidCredentials, .notFound, .noRoute, .conflict,
      .tooLarge, .undecodable:
      .unknown(reason: "\(error)")
    }
  }
}
