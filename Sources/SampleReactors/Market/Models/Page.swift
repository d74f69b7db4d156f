/// What a list of posts is asked for.
public struct PostQuery: Codable, Hashable, Sendable {
  /// The category.
  public var category: CategoryFilter
  /// What the title must contain, in any case of letters; empty for no search.
  public var keyword: String

  /// A query; every post by default.
  public init(category: CategoryFilter = .all, keyword: String = "") {
    self.category = category
    self.keyword = keyword
  }
}

/// A stretch of the posts that answer a query.
public struct Page: Codable, Hashable, Sendable {
  /// What it answers. A page that comes too late is told by it.
  public var query: PostQuery
  /// Its place, 1-based.
  public var number: Int
  /// How many posts answer the query altogether.
  public var total: Int
  /// The posts of this page, at most `Page.size`.
  public var posts: [Post]

  /// Posts on a page, unless it is the last.
  public static let size = 30

  /// A page of these parts.
  public init(query: PostQuery, number: Int, total: Int, posts: [Post]) {
    self.query = query
    self.number = number
    self.total = total
    self.posts = posts
  }
}
