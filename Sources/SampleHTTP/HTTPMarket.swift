import Foundation
import Refold
import SampleReactors

/// The market's API over HTTP.
struct HTTPMarket: MarketAPI {
  private let client: HTTPClient
  private let base: URL

  /// - Parameter base: where the API is: what its paths begin with.
  init(at base: URL, patience: HTTPClient.Patience = HTTPClient.Patience()) {
    self.base = base
    client = HTTPClient(
      base: base, headers: ["apikey": MarketWire.demoKey, "Accept": "application/json"],
      patience: patience)
  }
}

// Accounts.
extension HTTPMarket {
  func signInAnonymously() async throws -> AuthToken {
    try await token(HTTPRequest(method: .post, path: ["auth", "anonymous"], isSecret: true))
  }

  func signIn(with provider: AuthProvider, idToken: Secret<String>) async throws -> AuthToken {
    guard let idToken = idToken.value else { throw AppError.invalidCredentials }
    let body = MarketWire.SignIn(provider: provider, idToken: idToken)
    return try await token(try .posting(body, to: "auth", "login", isSecret: true))
  }

  func refresh(_ token: AuthToken) async throws -> AuthToken {
    guard let refresh = token.refresh.value else { throw Unauthorized() }
    client.conceal(token)
    let body = MarketWire.Refresh(refresh: refresh)
    return try await self.token(try .posting(body, to: "auth", "refresh", isSecret: true))
  }

  private func token(_ request: HTTPRequest) async throws -> AuthToken {
    let token = try await client.json(IssuedToken.self, request).token
    client.conceal(token)
    return token
  }

  func me(_ access: Secret<String>) async throws -> User? {
    try await client.json(MarketWire.Me.self, .get("me"), bearer: access).user
  }

  func signOut(_ access: Secret<String>) async throws {
    _ = try await client.send(
      HTTPRequest(method: .post, path: ["auth", "logout"]), bearer: access)
  }

  func deleteAccount(_ access: Secret<String>) async throws {
    _ = try await client.send(HTTPRequest(method: .delete, path: ["me"]), bearer: access)
  }
}

// Posts.
extension HTTPMarket {
  /// The page that was asked for, whatever else the server says: at most `size` posts, and a total
  /// that is not below zero.
  func posts(
    _ query: PostQuery, page number: Int, size: Int, _ access: Secret<String>
  ) async throws -> Page {
    let request = HTTPRequest.get(
      "posts",
      query: [
        ("category", query.category.name), ("keyword", query.keyword), ("page", "\(number)"),
        ("size", "\(size)"),
      ])
    let list = try await client.json(MarketWire.PostList.self, request, bearer: access)
    guard list.posts.allSatisfy({ query.category.includes($0.category) }) else {
      throw AppError.undecodable(reason: "it has posts of another category than was asked for")
    }
    return Page(
      query: query, number: number, total: max(list.total, 0),
      posts: Array(list.posts.prefix(max(size, 0))))
  }

  func setLike(_ isLiked: Bool, postID: Post.ID, _ access: Secret<String>) async throws {
    guard HTTPRequest.isPathPart(postID) else { throw AppError.notFound(what: "post \(postID)") }
    let path = ["posts", postID, "like"]
    _ = try await client.send(
      HTTPRequest(method: isLiked ? .put : .delete, path: path), bearer: access)
  }

  func top10(_ access: Secret<String>) async throws -> [Post] {
    let posts = try await client.json([Post].self, .get("posts", "top10"), bearer: access)
    return Array(posts.prefix(10))
  }
}

// Creating posts.
extension HTTPMarket {
  func influencers(
    matching keyword: String, _ access: Secret<String>
  ) async throws -> [Influencer] {
    let request = HTTPRequest.get("influencers", query: [("keyword", keyword)])
    return try await client.json([Influencer].self, request, bearer: access)
  }

  func upload(_ image: Data, _ access: Secret<String>) async throws -> URL {
    try PostImage.checkSize(of: image)
    let body = HTTPRequest.Body(bytes: image, type: "application/octet-stream")
    let request = HTTPRequest(method: .post, path: ["images"], body: body)
    let id = try await client.json(MarketWire.Image.self, request, bearer: access).id
    guard let url = HTTPRequest.get("images", id).url(below: base) else {
      throw AppError.undecodable(reason: "the image's id is empty, . or ..")
    }
    return url
  }

  func create(_ draft: PostDraft, _ access: Secret<String>) async throws -> Post {
    try await client.json(Post.self, try .posting(draft, to: "posts"), bearer: access)
  }
}

extension HTTPRequest {
  /// A request that hands `value` over as JSON.
  fileprivate static func posting(
    _ value: some Encodable, to path: String..., isSecret: Bool = false
  ) throws -> HTTPRequest {
    HTTPRequest(
      method: .post, path: path, body: .json(try EventCodec().encode(value)), isSecret: isSecret)
  }
}
