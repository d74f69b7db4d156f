import Synchronization

/// A token store that forgets when the process ends.
public final class MemoryTokenStore: TokenStore {
  private let kept: Mutex<AuthToken?>

  /// A store that has `token`; none by default.
  public init(_ token: AuthToken? = nil) { kept = Mutex(token) }

  /// The token, or nil where there is none. Never throws.
  public func token() throws -> AuthToken? { kept.withLock { $0 } }

  /// Keeps `token` in place of what there was. Never throws.
  public func save(_ token: AuthToken) throws { kept.withLock { $0 = token } }

  /// Forgets the token, if there is one. Never throws.
  public func clear() throws { kept.withLock { $0 = nil } }
}
