extension MarketBackend {
  /// The posts that answer `query`, those of page `number`, 1-based. A page beyond the last one is
  /// empty.
  ///
  /// - Parameter account: whose likes are told; nil for nobody's.
  /// - Throws: `AppError.badRequest` where page or size is less than 1.
  /// - Complexity: O(n) for n posts in the market.
  public func posts(
    _ query: PostQuery, page number: Int, size: Int, for account: Account?
  ) throws(AppError) -> Page {
    guard number >= 1, size >= 1 else {
      throw .badRequest(reason: "page \(number) of size \(size): both begin at 1")
    }
    let (skipped, overflow) = (number - 1).multipliedReportingOverflow(by: size)
    return state.withLock { market in
      let found = market.posts.filter { query.matches($0) }
      let posts = overflow ? [] : found.dropFirst(skipped).prefix(size)
      return Page(
        query: query, number: number, total: found.count,
        posts: posts.map { market.shown($0, to: account) })
    }
  }

  /// Makes `account` like the post `postID` or not. Saying so twice is the same as once.
  ///
  /// - Throws: `AppError.invalidCredentials` for an anonymous account; `.notFound` where there is no
  ///   such post.
  /// - Complexity: O(n) for n posts in the market.
  public func setLike(_ isLiked: Bool, postID: Post.ID, by account: Account) throws(AppError) {
    let user = try account.requireUser()
    let isThere = state.withLock { market in
      guard market.posts.contains(where: { $0.id == postID }) else { return false }
      if isLiked {
        market.likers[postID, default: []].insert(user.id)
      } else {
        market.likers[postID]?.remove(user.id)
      }
      return true
    }
    guard isThere else { throw .notFound(what: "post \(postID)") }
  }

  /// The ten most liked posts, most liked first; of equally liked ones the newer first.
  ///
  /// - Parameter account: whose likes are told; nil for nobody's.
  /// - Complexity: O(n log n) for n posts in the market.
  public func top10(for account: Account?) -> [Post] {
    state.withLock { market in
      let posts = market.posts.map { market.shown($0, to: account) }.enumerated()
      return posts.sorted { ($1.element.likeCount, $0.offset) < ($0.element.likeCount, $1.offset) }
        .prefix(10).map(\.element)
    }
  }
}

extension Market {
  /// `post` as `account` sees it: its own like, and everybody's counted.
  fileprivate func shown(_ post: Post, to account: Account?) -> Post {
    guard let likers = likers[post.id] else { return post }
    var post = post
    post.likeCount += likers.count
    post.isLiked = account.map { likers.contains($0.id) } ?? false
    return post
  }
}

extension PostQuery {
  /// Whether `post` answers the query.
  func matches(_ post: Post) -> Bool {
    guard category.includes(post.category) else { return false }
    return keyword.isEmpty || post.title.lowercased().contains(keyword.lowercased())
  }
}
