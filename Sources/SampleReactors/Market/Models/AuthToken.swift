import Foundation
import Refold

/// What the server knows an account by. Its two texts are secrets: they never reach a log.
public struct AuthToken: Codable, Hashable, Sendable {
  /// Sent with each request.
  public var access: Secret<String>
  /// Sent to get another, when the access token has expired.
  public var refresh: Secret<String>
  /// Whether the account is one that nobody has signed up for.
  public var isAnonymous: Bool
  /// When the access token expires.
  public var expiresAt: Date

  /// A token of these parts.
  public init(
    access: Secret<String>, refresh: Secret<String>, isAnonymous: Bool, expiresAt: Date
  ) {
    self.access = access
    self.refresh = refresh
    self.isAnonymous = isAnonymous
    self.expiresAt = expiresAt
  }
}

/// What can be told of a token without asking the server.
public enum TokenStatus: Codable, Hashable, Sendable {
  /// There is none.
  case noToken
  /// It has not expired.
  case valid(isAnonymous: Bool)
  /// It has expired, and may be refreshed.
  case expired(isAnonymous: Bool)

  /// The status of `token` at `date`.
  public init(of token: AuthToken?, at date: Date) {
    switch token {
    case nil: self = .noToken
    case let token? where token.expiresAt > date: self = .valid(isAnonymous: token.isAnonymous)
    case let token?: self = .expired(isAnonymous: token.isAnonymous)
    }
  }

  /// Whether the account is one that nobody has signed up for; nil where there is no token.
  public var isAnonymous: Bool? {
    switch self {
    case .noToken: nil
    case .valid(let isAnonymous), .expired(let isAnonymous): isAnonymous
    }
  }
}

/// Who somebody is to the market.
public enum AuthState: Codable, Hashable, Sendable {
  /// Somebody with an account that nobody has signed up for.
  case anonymous
  /// Somebody signed in.
  case authenticated(User)
  /// Nobody: sign-in is needed.
  case unauthenticated
}
