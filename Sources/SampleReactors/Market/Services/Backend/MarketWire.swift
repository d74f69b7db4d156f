import Foundation
import Refold

/// A token as the server issues it, in the clear: what travels, and never stands in an action, a
/// mutation or a state. `AuthToken` is what the app keeps.
public struct IssuedToken: Codable, Sendable {
  /// Sent with each request.
  public var access: String
  /// Sent once, to get another.
  public var refresh: String
  /// Whether the account is one that nobody has signed up for.
  public var isAnonymous: Bool
  /// When the access token expires.
  public var expiresAt: Date

  /// The token as the app keeps it.
  public var token: AuthToken {
    AuthToken(
      access: Secret(access), refresh: Secret(refresh), isAnonymous: isAnonymous,
      expiresAt: expiresAt)
  }
}

extension IssuedToken: CustomStringConvertible, CustomReflectable {
  /// That there is a token, never what it is.
  public var description: String { "IssuedToken(hidden)" }

  /// Nothing.
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The bodies that the market's server and its clients exchange, beside the models themselves.
public enum MarketWire {
  /// The key that apps of the market send as the header `apikey`: it says which app asks, and is no
  /// secret.
  public static let demoKey = "market-demo"

  /// The code of a 404 whose message is the noun of what does not exist, such as `post p0`.
  public static let notFoundCode = "NOT_FOUND"

  /// The code of a 404 at a path that no route has.
  public static let noRouteCode = "NO_ROUTE"

  /// `POST /auth/login`.
  public struct SignIn: Codable, Sendable {
    /// Who vouches.
    public var provider: AuthProvider
    /// What it says.
    public var idToken: String

    /// A body of these parts.
    public init(provider: AuthProvider, idToken: String) {
      (self.provider, self.idToken) = (provider, idToken)
    }
  }

  /// `POST /auth/refresh`.
  public struct Refresh: Codable, Sendable {
    /// The refresh token.
    public var refresh: String

    /// A body of this token.
    public init(refresh: String) { self.refresh = refresh }
  }

  /// The answer to `GET /me`.
  public struct Me: Codable, Sendable {
    /// Who asks; nil for an anonymous account.
    public var user: User?

    /// An answer.
    public init(user: User?) { self.user = user }
  }

  /// The answer to `GET /posts`. What was asked for is not in it: whoever asked knows.
  public struct PostList: Codable, Sendable {
    /// How many posts answer altogether.
    public var total: Int
    /// Those of the page.
    public var posts: [Post]

    /// An answer of these parts.
    public init(total: Int, posts: [Post]) { (self.total, self.posts) = (total, posts) }
  }

  /// The answer to `POST /images`.
  public struct Image: Codable, Sendable {
    /// What it can be fetched by, as `GET /images/ID`.
    public var id: String

    /// An answer.
    public init(id: String) { self.id = id }
  }

  /// The answer to whatever failed.
  public struct Failure: Codable, Sendable {
    /// The server's word for it, for programs.
    public var code: String?
    /// For people.
    public var message: String?

    /// An answer of these parts.
    public init(code: String?, message: String?) { (self.code, self.message) = (code, message) }
  }
}
