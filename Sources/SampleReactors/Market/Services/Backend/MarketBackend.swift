import Foundation
import Synchronization

/// The market's server without a network: accounts and their tokens, posts and likes, images. The
/// embedded services ask it directly, the HTTP server on behalf of its clients.
///
///     let backend = MarketBackend()
///     let token = try backend.signIn(with: .google, idToken: "google-u1")
///     let account = try backend.authorize(token.access)
///     try backend.setLike(true, postID: "p1", by: account)
///
/// Whatever needs an account takes an `Account`, and only `authorize(_:)` gives one: nobody can
/// forget to ask for it. The same calls on the same clock give the same answers in every process.
/// Use it from any thread: its state is behind one lock.
public final class MarketBackend: Sendable {
  let state: Mutex<Market>
  let accessLifetime: TimeInterval
  let now: @Sendable () -> Date

  /// How long an access token holds, in seconds, unless somebody says otherwise.
  public static let accessLifetime: TimeInterval = 900

  /// A market that lists `catalogue`.
  ///
  /// - Parameters:
  ///   - accessLifetime: how long an access token holds, in seconds: 0 to a year.
  ///   - now: the clock that tokens expire by.
  public init(
    _ catalogue: [Post] = MarketCatalogue.posts,
    accessLifetime: TimeInterval = MarketBackend.accessLifetime,
    now: @escaping @Sendable () -> Date = { Date() }
  ) {
    state = Mutex(Market(posts: catalogue))
    self.accessLifetime = min(max(accessLifetime, 0), 365 * 86_400)
    self.now = now
  }

  /// The account that the access token `access` speaks for. Every right begins here.
  ///
  /// - Throws: `Unauthorized` where there is no token, or it has expired or was taken back.
  public func authorize(_ access: String?) throws(Unauthorized) -> Account {
    let account = state.withLock { market -> Account? in
      guard let token = market.tokens.held(access, as: .access, at: now()) else { return nil }
      return market.account(token)
    }
    guard let account else { throw Unauthorized() }
    return account
  }
}

/// Somebody whose access token the backend has accepted.
public struct Account: Sendable {
  /// The user's id, or `a1`, `a2` and so on for anonymous accounts.
  public let id: String
  /// The user; nil for an account that nobody has signed up for.
  public let user: User?
  /// What it was authorized by; nil for a user that the embedded services vouch for.
  let token: TokenText?

  init(_ user: User, token: TokenText? = nil) {
    (id, self.user, self.token) = (user.id, user, token)
  }

  init(anonymous id: String, token: TokenText) { (self.id, user, self.token) = (id, nil, token) }

  /// The user.
  /// - Throws: `AppError.invalidCredentials` for an anonymous account: it may look, no more.
  func requireUser() throws(AppError) -> User {
    guard let user else { throw .invalidCredentials }
    return user
  }
}

/// What a `MarketBackend` remembers.
struct Market: Sendable {
  /// Newest first.
  var posts: [Post]
  /// Who likes a post.
  var likers: [Post.ID: Set<User.ID>] = [:]
  var tokens = TokenRegister()
  var images = ImageShelf()
  /// The number of the next post that somebody creates.
  var nextPost: Int

  init(posts: [Post]) {
    self.posts = posts
    nextPost = posts.count + 1
  }

  /// The account of a token that holds; nil for one that nobody has.
  func account(_ token: TokenText) -> Account? {
    if let user = MarketCatalogue.users.first(where: { $0.id == token.account }) {
      return Account(user, token: token)
    }
    guard TokenRegister.isAnonymous(token.account) else { return nil }
    return Account(anonymous: token.account, token: token)
  }
}
