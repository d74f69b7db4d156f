import Foundation
import Refold

/// A call of the market's API, for whoever delays or fails it. It has no tokens in it.
public enum MarketCall: Hashable, Sendable {
  /// A token for a new account.
  case signInAnonymously
  /// A token for whom a provider vouches for.
  case signIn(AuthProvider)
  /// Another token for one that has expired.
  case refresh
  /// Whose token it is.
  case me
  /// The end of a sign-in.
  case signOut
  /// The end of an account.
  case deleteAccount
  /// A page of posts.
  case posts(PostQuery, page: Int)
  /// A like, or the end of one.
  case setLike(Bool, postID: String)
  /// The most liked.
  case top10
  /// The influencers of a name.
  case influencers(keyword: String)
  /// A picture of this many bytes.
  case upload(bytes: Int)
  /// A new post.
  case create(productName: String)
}

/// The market's API with no network: a `MarketBackend` in this process.
struct EmbeddedMarket: MarketAPI {
  let backend: MarketBackend
  let beforeAnswering: @Sendable (MarketCall) async throws -> Void

  func signInAnonymously() async throws -> AuthToken {
    try await beforeAnswering(.signInAnonymously)
    return backend.signInAnonymously().token
  }

  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken {
    try await beforeAnswering(.signIn(provider))
    guard let idToken = idToken.value else { throw AppError.invalidCredentials }
    return try backend.signIn(with: provider, idToken: idToken).token
  }

  func refresh(_ token: AuthToken) async throws -> AuthToken {
    try await beforeAnswering(.refresh)
    guard let refresh = token.refresh.value else { throw Unauthorized() }
    return try backend.refresh(refresh).token
  }

  func me(_ access: Secret<String>) async throws -> User? {
    try await account(access, .me).user
  }

  func signOut(_ access: Secret<String>) async throws {
    backend.signOut(try await account(access, .signOut))
  }

  func deleteAccount(_ access: Secret<String>) async throws {
    backend.delete(try await account(access, .deleteAccount))
  }

  func posts(
    _ query: PostQuery, page number: Int, size: Int, _ access: Secret<String>
  ) async throws -> Page {
    let account = try await account(access, .posts(query, page: number))
    return try backend.posts(query, page: number, size: size, for: account)
  }

  func setLike(_ isLiked: Bool, postID: Post.ID, _ access: Secret<String>) async throws {
    let account = try await account(access, .setLike(isLiked, postID: postID))
    try backend.setLike(isLiked, postID: postID, by: account)
  }

  func top10(_ access: Secret<String>) async throws -> [Post] {
    backend.top10(for: try await account(access, .top10))
  }

  func influencers(
    matching keyword: String, _ access: Secret<String>
  ) async throws -> [Influencer] {
    _ = try await account(access, .influencers(keyword: keyword))
    return backend.influencers(matching: keyword)
  }

  func upload(_ image: Data, _ access: Secret<String>) async throws -> URL {
    let account = try await account(access, .upload(bytes: image.count))
    let id = try backend.storeImage(image, by: account)
    guard let url = URL(string: "embedded:///images/\(id)") else {
      throw AppError.unknown(reason: "image \(id) has no place")
    }
    return url
  }

  func create(_ draft: PostDraft, _ access: Secret<String>) async throws -> Post {
    let account = try await account(access, .create(productName: draft.productName))
    return try backend.create(draft, by: account)
  }

  /// Waits for the turn of `call`, then looks whose token it is: a token may end while it waits.
  private func account(_ access: Secret<String>, _ call: MarketCall) async throws -> Account {
    try await beforeAnswering(call)
    return try backend.authorize(access.value)
  }
}
