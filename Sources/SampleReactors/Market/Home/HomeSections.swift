import Sections

/// A section of the home screen; there is one of each kind.
public typealias HomeSection = SectionModel<HomeSectionKind, HomeItem>

/// The sections of the home screen, from top to bottom.
public enum HomeSectionKind: String, Codable, CaseIterable, Sendable {
  /// A row of chips to choose a category from.
  case categories
  /// The way to the ten most liked.
  case banner
  /// The list of posts.
  case posts
}

extension HomeSectionKind: CustomStringConvertible {
  /// Its name.
  public var description: String { rawValue }
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

extension HomeItem: Identifiable {
  /// Which item it is, whatever is shown of it.
  public enum ID: Hashable, Sendable {
    /// The chip of a category.
    case category(CategoryFilter)
    /// The banner.
    case top10
    /// A post.
    case post(Post.ID)
    /// A grey box, 0-based.
    case skeleton(Int)
  }

  /// Which item it is.
  public var id: ID {
    switch self {
    case .category(let filter, _): .category(filter)
    case .top10: .top10
    case .post(let id, _, _): .post(id)
    case .skeleton(let index): .skeleton(index)
    }
  }
}

extension HomeItem.ID: CustomStringConvertible {
  /// The category's name, the post's id, and so on.
  public var description: String {
    switch self {
    case .category(let filter): filter.name
    case .top10: "top10"
    case .post(let id): id
    case .skeleton(let index): "skeleton \(index)"
    }
  }
}

extension HomeItem: CustomStringConvertible {
  /// What is shown of it that can change; empty where nothing can.
  public var description: String {
    switch self {
    case .category(_, let isSelected): isSelected ? "selected" : "not selected"
    case .top10, .skeleton: ""
    case .post(_, let isLiked, let likeCount): Self.likes(likeCount, isLiked)
    }
  }

  /// `♥ 1,234`, the heart empty where the user is not among them.
  static func likes(_ count: Int, _ isLiked: Bool) -> String {
    "\(isLiked ? "♥" : "♡") \(Printable.grouped(count))"
  }
}

extension HomeReactor.State: SectionsPresenting {
  /// How many grey boxes stand for the posts of a list that is being fetched and still empty.
  static let skeletonCount = 5

  /// What is on screen: the categories (14), the banner (1), and the posts, or five skeletons while
  /// the first of them are being fetched.
  /// - Complexity: O(n) for n posts.
  public var sections: [HomeSection] {
    [
      HomeSection(
        id: .categories,
        items: CategoryFilter.choices.map {
          .category(filter: $0, isSelected: $0 == selectedCategory)
        }),
      HomeSection(id: .banner, items: [.top10]),
      HomeSection(id: .posts, items: postItems),
    ]
  }

  private var postItems: [HomeItem] {
    if posts.isEmpty, isLoading { return (0..<Self.skeletonCount).map(HomeItem.skeleton) }
    return posts.map { .post(id: $0.id, isLiked: $0.isLiked, likeCount: $0.likeCount) }
  }
}
