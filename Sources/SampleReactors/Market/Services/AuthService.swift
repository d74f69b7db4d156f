import Refold

/// Who vouches for somebody who signs in.
public enum AuthProvider: String, Codable, CaseIterable, Sendable {
  /// Sign in with Google.
  case google
  /// Sign in with Apple.
  case apple
}

/// Accounts and their tokens. What it throws reaches people as an `AppError`.
///
/// Who asks for `me` and what follows is told by the token of the device; a service renews it by
/// itself where the server says that it has expired, once, and throws `AppError.sessionExpired` where
/// that did not help.
public protocol AuthService: Sendable {
  /// A token for a new account that nobody has signed up for.
  func signInAnonymously() async throws -> AuthToken

  /// A token for the account that `provider` vouches for with `idToken`.
  ///
  /// - Throws: `AppError.invalidCredentials` where it does not.
  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken

  /// As `signIn(with:idToken:)`, for an id token that the provider has bound to `nonce`, where there
  /// is one. By default the nonce is left to whoever checks the id token.
  func signIn(
    with provider: AuthProvider, idToken: Secret<String>, nonce: Secret<String>?
  ) async throws -> AuthToken

  /// The user whose token this device has; nil for an account without one.
  func me() async throws -> User?

  /// Whether `token` is there because the service renewed `old` by itself, so that it is of the same
  /// sign-in. By default no: then whatever is another token counts as another sign-in.
  func isRenewal(_ token: AuthToken, of old: AuthToken) -> Bool

  /// Ends the sign-in at the server. The device's token is the caller's to clear.
  func signOut() async throws

  /// Deletes the account at the server. The device's token is the caller's to clear.
  func deleteAccount() async throws
}

extension AuthService {
  /// As `signIn(with:idToken:)`.
  public func signIn(
    with provider: AuthProvider, idToken: Secret<String>, nonce: Secret<String>?
  ) async throws -> AuthToken {
    try await signIn(with: provider, idToken: idToken)
  }

  /// No.
  public func isRenewal(_ token: AuthToken, of old: AuthToken) -> Bool { false }
}
