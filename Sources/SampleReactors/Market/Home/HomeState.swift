import Refold

extension HomeReactor {
  /// The home screen: who looks, which posts are listed, and what has to be shown once.
  public struct State: Equatable, Sendable {
    /// Who is signed in, as the user store says.
    public var user: User?
    /// Whether a page is being fetched.
    public var isLoading = false
    /// Whether the last fetch ended without an answer, because the process that ran it did.
    public var wasInterrupted = false
    /// The posts listed so far: pages 1 to `currentPage` of what answers `query`.
    public var posts: [Post] = []
    /// Which category is listed.
    public var selectedCategory = CategoryFilter.all
    /// What the titles must contain; empty for no search.
    public var searchKeyword = ""
    /// The last page listed, 1-based; 1 also before anything is.
    public var currentPage = 1
    /// Whether more posts answer than are listed.
    public var hasNextPage = true
    /// The likes that were shown before the service has agreed, by post.
    public var likesInFlight: [Post.ID: LikeInFlight] = [:]
    /// Whether the floating button is on screen.
    public var isFABVisible = false
    /// Whether its menu is.
    public var isFABMenuOpen = false

    /// What went wrong.
    @Pulse public var error: AppError?
    /// Sign-in is needed for what was tapped.
    @Pulse public var needsLogin = false
    /// The sign-in screen is to be opened.
    @Pulse public var loginConfirmed = false
    /// The ten most liked are to be opened.
    @Pulse public var showTop10 = false
    /// The screen to create a post is to be opened.
    @Pulse public var openCreatePost = false
    /// The screen to become an influencer is to be opened.
    @Pulse public var openRegisterInfluencer = false

    /// A home screen before anything has happened.
    public init() {}

    /// What the list answers.
    public var query: PostQuery { PostQuery(category: selectedCategory, keyword: searchKeyword) }

    /// The page that is to be fetched next: the first one as long as nothing is listed.
    var nextPage: Int { posts.isEmpty ? 1 : currentPage &+ 1 }
  }

  /// A like, or the end of one, that was shown before the service has agreed.
  public struct LikeInFlight: Codable, Hashable, Sendable {
    /// What is shown.
    public var isLiked: Bool
    /// What to go back to if the service does not agree.
    public var wasLiked: Bool
  }
}

// Written out because `sections` is written, and follows from the rest. So a property of the state
// has to be named three times here, as a key, on reading and on writing: one that is not is lost on
// the way through a log or an export, and HomeStateTests says so.
extension HomeReactor.State: Codable {
  private enum CodingKeys: String, CodingKey {
    case user, isLoading, wasInterrupted, sections, posts, selectedCategory, searchKeyword,
      currentPage
    case hasNextPage, likesInFlight, isFABVisible, isFABMenuOpen
    case error, needsLogin, loginConfirmed, showTop10, openCreatePost, openRegisterInfluencer
  }

  /// Reads everything but the sections, which follow from the rest.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    user = try values.decode(User?.self, forKey: .user)
    isLoading = try values.decode(Bool.self, forKey: .isLoading)
    wasInterrupted = try values.decode(Bool.self, forKey: .wasInterrupted)
    posts = try values.decode([Post].self, forKey: .posts)
    selectedCategory = try values.decode(CategoryFilter.self, forKey: .selectedCategory)
    searchKeyword = try values.decode(String.self, forKey: .searchKeyword)
    currentPage = try values.decode(Int.self, forKey: .currentPage)
    hasNextPage = try values.decode(Bool.self, forKey: .hasNextPage)
    likesInFlight = try values.decode(
      [Post.ID: HomeReactor.LikeInFlight].self, forKey: .likesInFlight)
    isFABVisible = try values.decode(Bool.self, forKey: .isFABVisible)
    isFABMenuOpen = try values.decode(Bool.self, forKey: .isFABMenuOpen)
    _error = try values.decode(Pulse<AppError?>.self, forKey: .error)
    _needsLogin = try values.decode(Pulse<Bool>.self, forKey: .needsLogin)
    _loginConfirmed = try values.decode(Pulse<Bool>.self, forKey: .loginConfirmed)
    _showTop10 = try values.decode(Pulse<Bool>.self, forKey: .showTop10)
    _openCreatePost = try values.decode(Pulse<Bool>.self, forKey: .openCreatePost)
    _openRegisterInfluencer = try values.decode(
      Pulse<Bool>.self, forKey: .openRegisterInfluencer)
  }

  /// Writes everything, and the sections for whoever reads an exported state.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(user, forKey: .user)
    try values.encode(isLoading, forKey: .isLoading)
    try values.encode(wasInterrupted, forKey: .wasInterrupted)
    try values.encode(sections, forKey: .sections)
    try values.encode(posts, forKey: .posts)
    try values.encode(selectedCategory, forKey: .selectedCategory)
    try values.encode(searchKeyword, forKey: .searchKeyword)
    try values.encode(currentPage, forKey: .currentPage)
    try values.encode(hasNextPage, forKey: .hasNextPage)
    try values.encode(likesInFlight, forKey: .likesInFlight)
    try values.encode(isFABVisible, forKey: .isFABVisible)
    try values.encode(isFABMenuOpen, forKey: .isFABMenuOpen)
    try values.encode($error, forKey: .error)
    try values.encode($needsLogin, forKey: .needsLogin)
    try values.encode($loginConfirmed, forKey: .loginConfirmed)
    try values.encode($showTop10, forKey: .showTop10)
    try values.encode($openCreatePost, forKey: .openCreatePost)
    try values.encode($openRegisterInfluencer, forKey: .openRegisterInfluencer)
  }
}
