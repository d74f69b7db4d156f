/// All that the market's reactors need, of one origin: embedded, or over a network.
///
/// There are two posts services. That of a bundle, whatever its origin, goes by the token in `tokens`,
/// as a server does, and a like needs an account that somebody has signed up for. A sample that is run
/// with no `api` gets the `EmbeddedPostService` in its place: that takes the word of the app for who
/// likes, as the log of a session says who was signed in, but has no token in it. Both answer from
/// one `MarketBackend`.
public struct MarketServices: Sendable {
  /// Where the device's token is kept.
  public var tokens: any TokenStore
  /// Accounts.
  public var auth: any AuthService
  /// Posts and likes.
  public var posts: any PostService
  /// The most liked.
  public var top10: any Top10Service
  /// Creating posts.
  public var registration: any RegistrationService

  /// Services of these parts.
  public init(
    tokens: any TokenStore, auth: any AuthService, posts: any PostService,
    top10: any Top10Service, registration: any RegistrationService
  ) {
    self.tokens = tokens
    self.auth = auth
    self.posts = posts
    self.top10 = top10
    self.registration = registration
  }
}
