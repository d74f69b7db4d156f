import Refold

/// The home screen of a group-buying market: posts by category and keyword, page by page, and likes
/// that are shown before the service has agreed.
///
/// Who is signed in comes from the user store: whatever it says becomes a `setUser` mutation with
/// cause 0. So does the end of a like, as `setLikeSettled`, and on opening a session `setInterrupted`
/// where an earlier process left something in flight that nobody runs. Both are beyond what people see.
///
/// A value of this type serves one session; several sessions may share services and user store.
public struct HomeReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Fetch the list from its first page: on appearing, and on pulling to refresh.
    case fetchPostList
    /// Fetch the next page, unless something is being fetched or there is none.
    case loadNextPage
    /// List another category.
    case selectCategory(category: CategoryFilter)
    /// List what contains a keyword; empty for everything.
    case searchKeyword(keyword: String)
    /// Like a post (`isLiked`: true) or take that back (false).
    case toggleLike(postID: Post.ID, isLiked: Bool)
    /// "Sign in", said to the question that `needsLogin` asks.
    case confirmLogin
    /// Open the ten most liked.
    case tapTop10Banner
    /// Decide anew whether the floating button is visible: to whoever is signed in.
    case refreshFABVisibility
    /// Open or close the menu of the floating button, where that is visible.
    case tapFAB
    /// Close that menu.
    case dismissFABMenu
    /// Open the screen to create a post.
    case tapCreatePost
    /// Open the screen to become an influencer.
    case tapRegisterInfluencer
    /// A post was created on its screen: the list is fetched anew.
    case postRegistrationCallback
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether a page is being fetched.
    case setLoading(Bool)
    /// A fetch or a like failed.
    case setError(AppError)
    /// A page has come; one that answers something else than is listed changes nothing.
    case setFetchCompleted(Page)
    /// Another category is listed, from its beginning.
    case setSelectedCategory(CategoryFilter)
    /// Another keyword is listed, from its beginning.
    case setKeyword(String)
    /// `isInFlight`: whether the service has still to agree.
    case setLikeStatus(postID: Post.ID, isLiked: Bool, isInFlight: Bool)
    /// The service has agreed. Cause 0.
    case setLikeSettled(postID: Post.ID, isLiked: Bool)
    /// Sign-in is needed for what was tapped.
    case setNeedsLogin
    /// The sign-in screen is to be opened.
    case setLoginConfirmed
    /// The ten most liked are to be opened.
    case setShowTop10
    /// Whether the floating button is on screen; its menu goes with it.
    case setFABVisible(Bool)
    /// Whether its menu is.
    case setFABMenuOpen(Bool)
    /// The screen to create a post is to be opened.
    case setCreatePostOpen
    /// The screen to become an influencer is to be opened.
    case setRegisterInfluencerOpen
    /// A post was created on its screen.
    case setPostRegistrationCallback
    /// Who is signed in, as the user store says. Cause 0.
    case setUser(User?)
    /// What was in flight in another run of this session is so no more. Cause 0.
    case setInterrupted
  }

  /// Nobody signed in, nothing listed.
  public let initialState = State()

  private let service: any PostService
  private let users: UserStore
  private let clock: any Clock<Duration>
  private let settledLikes = SettledLikes()

  /// A home screen.
  ///
  /// - Parameters:
  ///   - service: where posts come from and likes go to; by default the embedded catalogue.
  ///   - users: who is signed in; by default nobody.
  ///   - clock: what the delay of a search is measured with.
  public init(
    service: any PostService = EmbeddedPostService(), users: UserStore = UserStore(),
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.service = service
    self.users = users
    self.clock = clock
  }

  /// How long nothing must be typed before a search goes to the service.
  static let searchDelay = Duration.milliseconds(300)

  /// One of each action.
  public static var exampleActions: [Action] {
    [
      .fetchPostList, .loadNextPage, .selectCategory(category: .only(.food)),
      .searchKeyword(keyword: "handmade"), .toggleLike(postID: "p1", isLiked: true),
      .confirmLogin, .tapTop10Banner, .refreshFABVisibility, .tapFAB, .dismissFABMenu,
      .tapCreatePost, .tapRegisterInfluencer, .postRegistrationCallback,
    ]
  }

  /// `setInterrupted` where a process was killed, or closed the session, while a fetch or a like was
  /// in flight. Without it `isLoading` would stay true and keep the next page out for ever, and the
  /// like could never be tapped again.
  public func recover(state: State) -> Mutation? {
    state.isLoading || !state.likesInFlight.isEmpty ? .setInterrupted : nil
  }

  /// Merges what comes from outside any action.
  public func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
    .merge(
      mutation, users.effect.map { .setUser($0) },
      settledLikes.effect.map { .setLikeSettled(postID: $0.postID, isLiked: $0.isLiked) })
  }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .fetchPostList: fetch(1, of: state.query, for: state.user)
    case .loadNextPage: loadNextPage(state)
    case .selectCategory(let category): select(category, state)
    case .searchKeyword(let keyword): search(keyword, state)
    case .toggleLike(let postID, let isLiked): like(isLiked, postID, state)
    case .confirmLogin: .just(.setLoginConfirmed)
    case .tapTop10Banner: .just(.setShowTop10)
    case .refreshFABVisibility: .just(.setFABVisible(state.user != nil))
    case .tapFAB: state.isFABVisible ? .just(.setFABMenuOpen(!state.isFABMenuOpen)) : .empty
    case .dismissFABMenu: state.isFABMenuOpen ? .just(.setFABMenuOpen(false)) : .empty
    case .tapCreatePost: .just(state.user == nil ? .setNeedsLogin : .setCreatePostOpen)
    case .tapRegisterInfluencer:
      .just(state.user == nil ? .setNeedsLogin : .setRegisterInfluencerOpen)
    case .postRegistrationCallback:
      .concat(.just(.setPostRegistrationCallback), fetch(1, of: state.query, for: state.user))
    }
  }
}

// The list. One effect fetches at a time: whatever begins to fetch cancels what does, so that its
// result never lands, and ends with setLoading(false) itself. Nothing else cancels a fetch, so
// isLoading never stays.
extension HomeReactor {
  private enum CancelID: Hashable {
    case list
  }

  private func fetch(
    _ page: Int, of query: PostQuery, for user: User?,
    beginning: [Mutation] = [.setLoading(true)], after delay: Duration? = nil
  ) -> Effect<Mutation> {
    .concat(
      .from(beginning),
      .callAPI { [service, clock] in
        if let delay { try await clock.sleep(for: delay) }
        let page = try await service.posts(query, page: page, size: Page.size, for: user)
        return .setFetchCompleted(page)
      } onError: { error in
        .just(.setError(AppError(error)))
      },
      .just(.setLoading(false))
    )
    .cancellable(id: CancelID.list, cancelInFlight: true)
  }

  private func loadNextPage(_ state: State) -> Effect<Mutation> {
    guard !state.isLoading, state.hasNextPage else { return .empty }
    return fetch(state.nextPage, of: state.query, for: state.user)
  }

  private func select(_ category: CategoryFilter, _ state: State) -> Effect<Mutation> {
    guard category != state.selectedCategory || state.wasInterrupted else { return .empty }
    let query = PostQuery(category: category, keyword: state.searchKeyword)
    return .concat(
      .just(.setSelectedCategory(category)), fetch(1, of: query, for: state.user))
  }

  /// The keyword is state at once; only the request waits until typing has paused. So a burst of
  /// keystrokes is one request, and a category chosen meanwhile is searched with the new keyword.
  private func search(_ keyword: String, _ state: State) -> Effect<Mutation> {
    guard keyword != state.searchKeyword || state.wasInterrupted else { return .empty }
    let query = PostQuery(category: state.selectedCategory, keyword: keyword)
    return fetch(
      1, of: query, for: state.user, beginning: [.setLoading(true), .setKeyword(keyword)],
      after: Self.searchDelay)
  }
}

// Likes.
extension HomeReactor {
  private func like(
    _ isLiked: Bool, _ postID: Post.ID, _ state: State
  ) -> Effect<Mutation> {
    guard let user = state.user else { return .just(.setNeedsLogin) }
    guard state.likesInFlight[postID] == nil else { return .empty }
    let wasLiked = state.isLiked(postID) ?? !isLiked
    return .concat(
      .just(.setLikeStatus(postID: postID, isLiked: isLiked, isInFlight: true)),
      .callAPI { [service, settledLikes] in
        try await service.setLike(isLiked, postID: postID, by: user)
        settledLikes.tell(postID, isLiked)
      } onSuccess: {
        .empty
      } onError: { error in
        .of(
          .setError(AppError(error)),
          .setLikeStatus(postID: postID, isLiked: wasLiked, isInFlight: false))
      })
  }
}
