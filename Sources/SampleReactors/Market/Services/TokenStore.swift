/// Where the token of this device is kept: a keychain.
public protocol TokenStore: Sendable {
  /// The token, or nil where there is none.
  /// - Throws: `AppError.keychainNotFound` where the place cannot be read.
  func token() throws -> AuthToken?

  /// Keeps `token` in place of what there was.
  func save(_ token: AuthToken) throws

  /// Forgets the token, if there is one.
  func clear() throws
}
