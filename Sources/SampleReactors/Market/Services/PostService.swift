/// Where posts come from. What it throws reaches people as an `AppError`.
public protocol PostService: Sendable {
  /// The posts that answer `query`, those of page `number`, 1-based, with at most `size` posts.
  ///
  /// - Parameter user: whose likes are told; nil for nobody's.
  func posts(_ query: PostQuery, page number: Int, size: Int, for user: User?) async throws -> Page

  /// Makes `user` like the post `postID` or not. Saying so twice is the same as once.
  func setLike(_ isLiked: Bool, postID: String, by user: User) async throws
}
