import Synchronization

/// The embedded services: they answer from the `MarketCatalogue`, with no network, and remember in this
/// instance who likes what.
public final class CatalogueService: PostService {
  /// What a service is asked for.
  public enum Call: Hashable, Sendable {
    /// A page of posts.
    case posts(PostQuery, page: Int)
    /// A like, or the end of one.
    case setLike(Bool, postID: String)
  }

  private let catalogue: [Post]
  private let beforeAnswering: @Sendable (Call) async throws -> Void
  private let likes = Mutex<[User.ID: Set<Post.ID>]>([:])

  /// A service over `catalogue`.
  ///
  /// - Parameter beforeAnswering: awaited before each answer. How long it takes delays the answer,
  ///   and what it throws is the answer: for tests and demonstrations.
  public init(
    _ catalogue: [Post] = MarketCatalogue.posts,
    beforeAnswering: @escaping @Sendable (Call) async throws -> Void = { _ in }
  ) {
    self.catalogue = catalogue
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
    guard number >= 1, size >= 1 else {
      throw AppError.badRequest(reason: "page \(number) of size \(size): both begin at 1")
    }
    let found = catalogue.filter { query.matches($0) }
    let (skipped, overflow) = (number - 1).multipliedReportingOverflow(by: size)
    let posts = overflow ? [] : found.dropFirst(skipped).prefix(size)
    let liked = likes.withLock { likes in user.flatMap { likes[$0.id] } ?? [] }
    return Page(
      query: query, number: number, total: found.count,
      posts: posts.map { post in
        var post = post
        post.setLiked(liked.contains(post.id))
        return post
      })
  }

  /// As `PostService.setLike(_:postID:by:)`.
  ///
  /// - Throws: `AppError.notFound` where there is no such post; what `beforeAnswering` does.
  public func setLike(_ isLiked: Bool, postID: String, by user: User) async throws {
    try await beforeAnswering(.setLike(isLiked, postID: postID))
    guard catalogue.contains(where: { $0.id == postID }) else {
      throw AppError.notFound(what: "post \(postID)")
    }
    likes.withLock { likes in
      if isLiked {
        likes[user.id, default: []].insert(postID)
      } else {
        likes[user.id]?.remove(postID)
      }
    }
  }
}

extension PostQuery {
  /// Whether `post` answers the query.
  func matches(_ post: Post) -> Bool {
    guard category.includes(post.category) else { return false }
    return keyword.isEmpty || post.title.lowercased().contains(keyword.lowercased())
  }
}
