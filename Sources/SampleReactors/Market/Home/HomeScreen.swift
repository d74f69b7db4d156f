import Refold
import Sections

extension HomeReactor.State: ScreenPresenting {
  /// The home screen: categories, the banner, posts; who is signed in, and what is being fetched.
  ///
  /// - Complexity: O(n) for n posts.
  public func screen() throws -> Screen { try screen(notices: standing) }

  /// The same, with the errors and questions that came up since `earlier`, and with the screens that
  /// were opened.
  public func screen(since earlier: Self) throws -> Screen {
    try screen(notices: news(since: earlier) + standing)
  }

  private func screen(notices: [Notice]) throws -> Screen {
    Screen(
      title: "Group buying", subtitle: subtitle,
      account: user?.nickname ?? "Not signed in", notices: notices,
      sections: try ScreenSection.list(
        sections, layout: Self.layout, title: title, footer: footer, cell: cell(of: posts)),
      buttons: buttons)
  }

  private var subtitle: String? {
    searchKeyword.isEmpty ? nil : "Search: \(searchKeyword)"
  }

  private var standing: [Notice] {
    if isLoading { return [Notice(.progress, posts.isEmpty ? "Loading posts" : "Loading")] }
    if wasInterrupted { return [Notice(.error, "Loading was interrupted. Pull to try again.")] }
    return []
  }

  /// A question is answered by what the app does next: nothing here, so it is only named.
  private func news(since earlier: Self) -> [Notice] {
    let candidates: [(isNew: Bool, notice: Notice?)] = [
      ($error.count != earlier.$error.count, error.flatMap(Self.notice)),
      (
        $needsLogin.count != earlier.$needsLogin.count,
        Notice(.question, "Sign in to go on", choices: ["Sign in", "Not now"])
      ),
      (
        $loginConfirmed.count != earlier.$loginConfirmed.count,
        Notice(.news, "Opens the sign-in screen")
      ),
      ($showTop10.count != earlier.$showTop10.count, Notice(.news, "Opens the ten most liked")),
      (
        $openCreatePost.count != earlier.$openCreatePost.count,
        Notice(.news, "Opens the screen to create a post")
      ),
      (
        $openRegisterInfluencer.count != earlier.$openRegisterInfluencer.count,
        Notice(.news, "Opens the screen to become an influencer")
      ),
    ]
    return candidates.compactMap { $0.isNew ? $0.notice : nil }
  }

  private static func notice(_ error: AppError) -> Notice? {
    switch error.strategy {
    case .silent: nil
    case .requireLogin: Notice(.question, "\(error)", choices: ["Sign in", "Not now"])
    case .retryable, .userGuide, .developerError: Notice(.error, "\(error)")
    }
  }

  private var buttons: [String] {
    guard isFABVisible else { return [] }
    return isFABMenuOpen ? ["×", "Create a post", "Become an influencer"] : ["+"]
  }

  /// Section by section, in their order.
  private static let layout = CompositionalLayout([.chips, .banner, .list])

  private func title(_ section: HomeSection) -> String? {
    section.id == .posts ? selectedCategory.title : nil
  }

  private func footer(_ section: HomeSection) -> String? {
    guard section.id == .posts else { return nil }
    if section.items.isEmpty {
      // Before a first page has come, nobody knows whether there are any.
      if hasNextPage { return nil }
      return searchKeyword.isEmpty ? "No posts yet" : "Nothing found"
    }
    if posts.isEmpty { return nil }
    return hasNextPage ? "\(posts.count) posts, and more below" : "That is all: \(posts.count)"
  }
}

// What is registered for which part of the screen.
extension HomeReactor.State {
  private enum Cells {
    static let category = CellToken<Choice>("category")
    static let banner = CellToken<Void>("top10")
    static let post = CellToken<Post>("post")
    static let skeleton = CellToken<Int>("skeleton")
  }

  private struct Choice {
    var filter: CategoryFilter
    var isSelected: Bool
  }

  private static let registry: CellRegistry = {
    var cells = CellRegistry()
    cells.register(Cells.category) { choice in
      Cell(
        id: choice.filter.name, title: choice.filter.title,
        look: choice.isSelected ? .selected : .plain)
    }
    cells.register(Cells.banner) {
      Cell(id: "top10", title: "Top 10", lines: ["What everybody likes right now"])
    }
    cells.register(Cells.post) { post in
      Cell(
        id: post.id, title: post.title,
        lines: ["@\(post.influencer.name) · \(Printable.grouped(post.price)) won"],
        badge: Cell.Badge(HomeItem.likes(post.likeCount, post.isLiked), isOn: post.isLiked))
    }
    cells.register(Cells.skeleton) { index in
      Cell(id: "skeleton \(index)", title: "Loading", look: .placeholder)
    }
    return cells
  }()

  private func cell(of posts: [Post]) -> (HomeItem) throws -> Cell {
    let byID = Dictionary(posts.map { ($0.id, $0) }) { first, _ in first }
    return { item in
      switch item {
      case .category(let filter, let isSelected):
        let choice = Choice(filter: filter, isSelected: isSelected)
        return try Self.registry.dequeue(Cells.category, for: choice)
      case .top10: return try Self.registry.dequeue(Cells.banner, for: ())
      case .post(let id, _, _):
        guard let post = byID[id] else { return Cell(id: id, title: id) }
        return try Self.registry.dequeue(Cells.post, for: post)
      case .skeleton(let index): return try Self.registry.dequeue(Cells.skeleton, for: index)
      }
    }
  }
}
