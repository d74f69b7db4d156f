/// A section of the home screen, from top to bottom.
public struct HomeSection: Codable, Hashable, Sendable {
  /// What it is; there is one of each.
  public var type: Kind
  /// What it shows, in order.
  public var items: [HomeItem]

  /// The sections in their order on screen.
  public enum Kind: String, Codable, CaseIterable, Sendable {
    /// A row of chips to choose a category from.
    case categories
    /// The way to the ten most liked.
    case banner
    /// The list of posts.
    case posts
  }
}

/// What a section of the home screen shows. An item of a post carries what can change about it; the
/// rest is found in the state's `posts`, so that no post is written twice.
public enum HomeItem: Codable, Hashable, Sendable {
  /// A category to choose.
  case category(filter: CategoryFilter, isSelected: Bool)
  /// The banner.
  case top10
  /// A post.
  case post(id: Post.ID, isLiked: Bool, likeCount: Int)
  /// A grey box where a post is expected, 0-based.
  case skeleton(index: Int)
}

extension HomeReactor.State {
  /// How many grey boxes stand for the posts of a list that is being fetched and still empty.
  static let skeletonCount = 5

  /// What is on screen: the categories (14), the banner (1), and the posts, or five skeletons while
  /// the first of them are being fetched.
  /// - Complexity: O(n) for n posts.
  public var sections: [HomeSection] {
    [
      HomeSection(
        type: .categories,
        items: CategoryFilter.choices.map {
          .category(filter: $0, isSelected: $0 == selectedCategory)
        }),
      HomeSection(type: .banner, items: [.top10]),
      HomeSection(type: .posts, items: postItems),
    ]
  }

  private var postItems: [HomeItem] {
    if posts.isEmpty, isLoading { return (0..<Self.skeletonCount).map(HomeItem.skeleton) }
    return posts.map { .post(id: $0.id, isLiked: $0.isLiked, likeCount: $0.likeCount) }
  }
}
