import Foundation
import Refold

/// The services over a `MarketAPI`: each call is made with the device's token, which is got and
/// renewed on the way.
struct AuthorizedMarket: Sendable {
  private let api: any MarketAPI
  private let tokens: any TokenStore
  private let interceptor: TokenInterceptor

  /// - Parameter userID: who signs in where there is no token; nil for an anonymous account.
  init(_ api: any MarketAPI, tokens: any TokenStore, userID: User.ID?) {
    self.api = api
    self.tokens = tokens
    interceptor = TokenInterceptor(
      tokens: tokens,
      signIn: {
        guard let userID else { return try await api.signInAnonymously() }
        let idToken = AuthProvider.google.demoIDToken(for: userID)
        return try await api.signIn(with: .google, idToken: Secret(idToken))
      },
      refresh: api.refresh)
  }
}

extension AuthorizedMarket: AuthService {
  func signInAnonymously() async throws -> AuthToken {
    do {
      return try await api.signInAnonymously()
    } catch is Unauthorized {
      throw AppError.invalidCredentials
    }
  }

  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken {
    do {
      return try await api.signIn(with: provider, idToken: idToken)
    } catch is Unauthorized {
      throw AppError.invalidCredentials
    }
  }

  func isRenewal(_ token: AuthToken, of old: AuthToken) -> Bool {
    interceptor.isRenewal(token, of: old)
  }

  func me() async throws -> User? { try await interceptor.send { try await api.me($0) } }

  /// Nothing where nobody is signed in: signing in to sign out would be of no use.
  func signOut() async throws {
    guard try tokens.token() != nil else { return }
    try await interceptor.send { try await api.signOut($0) }
  }

  /// - Throws: `AppError.sessionExpired` where nobody is signed in.
  func deleteAccount() async throws {
    guard try tokens.token() != nil else { throw AppError.sessionExpired }
    try await interceptor.send { try await api.deleteAccount($0) }
  }
}

extension AuthorizedMarket: PostService {
  /// The server tells the likes of whoever the token belongs to; for nobody they are left out.
  func posts(
    _ query: PostQuery, page number: Int, size: Int, for user: User?
  ) async throws -> Page {
    var page = try await interceptor.send {
      try await api.posts(query, page: number, size: size, $0)
    }
    if user == nil {
      for index in page.posts.indices { page.posts[index].isLiked = false }
    }
    return page
  }

  func setLike(_ isLiked: Bool, postID: String, by user: User) async throws {
    try await interceptor.send { try await api.setLike(isLiked, postID: postID, $0) }
  }
}

extension AuthorizedMarket: Top10Service {
  func top10Posts() async throws -> [Post] {
    try await interceptor.send { try await api.top10($0) }
  }
}

extension AuthorizedMarket: RegistrationService {
  func influencers(matching keyword: String) async throws -> [Influencer] {
    try await interceptor.send { try await api.influencers(matching: keyword, $0) }
  }

  func upload(_ image: Data) async throws -> URL {
    try await interceptor.send { try await api.upload(image, $0) }
  }

  func create(_ draft: PostDraft) async throws -> Post {
    try await interceptor.send { try await api.create(draft, $0) }
  }
}
