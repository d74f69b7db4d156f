/// The embedded `PostService` for users that the app vouches for, with no network and no tokens: it
/// answers from a `MarketBackend`, which remembers who likes what.
public final class EmbeddedPostService: PostService {
  /// What a service is asked for.
  public enum Call: Hashable, Sendable {
    /// A page of posts.
    case posts(PostQuery, page: Int)
    /// A like, or the end of one.
    case setLike(Bool, postID: String)
  }

  private let backend: MarketBackend
  private let beforeAnswering: @Sendable (Call) async throws -> Void

  /// A service over `catalogue`.
  ///
  /// - Parameter beforeAnswering: awaited before each answer. How long it takes delays the answer,
  ///   and what it throws is the answer: for tests and demonstrations.
  public convenience init(
    _ catalogue: [Post] = MarketCatalogue.posts,
    beforeAnswering: @escaping @Sendable (Call) async throws -> Void = { _ in }
  ) {
    self.init(backend: MarketBackend(catalogue), beforeAnswering: beforeAnswering)
  }

  /// A service over `backend`, shared with whoever else has it.
  public init(
    backend: MarketBackend,
    beforeAnswering: @escaping @Sendable (Call) async throws -> Void = { _ in }
  ) {
    self.backend = backend
    self.beforeAnswering = beforeAnswering
  }

  /// As `PostService.posts(_:page:size:for:)`. A page beyond the last one is empty.
  ///
  /// - Throws: `AppError.badRequest` where page or size is less than 1; what `beforeAnswering` does.
  /// - Complexity: O(n) for n posts in the catalogue.
  public func posts(
    _ query: PostQuery, page number: Int, size: Int, for user: User?
  ) async throws -> Page {
    try await beforeAnswering(.posts(query, page: number))
    return try backend.posts(query, page: number, size: size, for: user.map { Account($0) })
  }

  /// As `PostService.setLike(_:postID:by:)`.
  ///
  /// - Throws: `AppError.notFound` where there is no such post; what `beforeAnswering` does.
  public func setLike(_ isLiked: Bool, postID: String, by user: User) async throws {
    try await beforeAnswering(.setLike(isLiked, postID: postID))
    try backend.setLike(isLiked, postID: postID, by: Account(user))
  }
}
