import Foundation
import Refold

/// What the market's server can be asked, call by call: embedded, or over a network. The services
/// that reactors use are built on it, the same for both; see `MarketServices.init(over:tokens:userID:)`.
///
/// A call that takes an access token throws `Unauthorized` where the server does not take it. Else
/// what is thrown is an `AppError`, or a `CancellationError`.
public protocol MarketAPI: Sendable {
  /// A token for a new account that nobody has signed up for.
  func signInAnonymously() async throws -> AuthToken

  /// A token for the account that `provider` vouches for with `idToken`.
  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken

  /// Another token for the account of `token`, whose refresh token is used up by it.
  /// - Throws: `Unauthorized` where the refresh token does not hold any more.
  func refresh(_ token: AuthToken) async throws -> AuthToken

  /// The user of the account; nil for an anonymous one.
  func me(_ access: Secret<String>) async throws -> User?

  /// Takes the token back, and the refresh token that came with it.
  func signOut(_ access: Secret<String>) async throws

  /// Deletes the account.
  func deleteAccount(_ access: Secret<String>) async throws

  /// A page of posts, with the likes of the account.
  func posts(
    _ query: PostQuery, page number: Int, size: Int, _ access: Secret<String>
  ) async throws -> Page

  /// Makes the account like the post or not.
  func setLike(_ isLiked: Bool, postID: Post.ID, _ access: Secret<String>) async throws

  /// The ten most liked posts.
  func top10(_ access: Secret<String>) async throws -> [Post]

  /// The influencers whose name contains `keyword`.
  func influencers(matching keyword: String, _ access: Secret<String>) async throws -> [Influencer]

  /// Stores an image, and says where it is.
  func upload(_ image: Data, _ access: Secret<String>) async throws -> URL

  /// Creates a post.
  func create(_ draft: PostDraft, _ access: Secret<String>) async throws -> Post
}
