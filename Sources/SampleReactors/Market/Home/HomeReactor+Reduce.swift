extension HomeReactor {
  /// Applies `mutation`. A page that does not answer what is listed now, or does not come next, and
  /// a like of a post that is not listed change nothing on the list.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading):
      state.isLoading = isLoading
      state.wasInterrupted = false
    case .setError(let error): state.error = error
    case .setFetchCompleted(let page): state.add(page)
    case .setSelectedCategory(let category):
      state.selectedCategory = category
      state.clearPosts()
    case .setKeyword(let keyword):
      state.searchKeyword = keyword
      state.clearPosts()
    case .setLikeStatus(let postID, let isLiked, let isInFlight):
      state.setLiked(isLiked, postID, isInFlight: isInFlight)
    case .setLikeSettled(let postID, let isLiked):
      state.setLiked(isLiked, postID, isInFlight: false)
    case .setNeedsLogin: state.needsLogin = true
    case .setLoginConfirmed: state.loginConfirmed = true
    case .setShowTop10: state.showTop10 = true
    case .setFABVisible(let isVisible):
      state.isFABVisible = isVisible
      if !isVisible { state.isFABMenuOpen = false }
    case .setFABMenuOpen(let isOpen): state.isFABMenuOpen = isOpen
    case .setCreatePostOpen:
      state.isFABMenuOpen = false
      state.openCreatePost = true
    case .setRegisterInfluencerOpen:
      state.isFABMenuOpen = false
      state.openRegisterInfluencer = true
    case .setPostRegistrationCallback: state.isFABMenuOpen = false
    case .setUser(let user): state.user = user
    case .setInterrupted: state.forgetWhatIsInFlight()
    }
  }
}

extension HomeReactor.State {
  /// Whether the listed post `postID` is liked; nil where it is not listed.
  func isLiked(_ postID: Post.ID) -> Bool? { posts.first { $0.id == postID }?.isLiked }

  /// Another list begins: posts of two lists must never mix.
  fileprivate mutating func clearPosts() {
    posts = []
    currentPage = 1
    hasNextPage = true
  }

  /// Page 1 replaces the posts, the next one appends; any other is none of this list.
  fileprivate mutating func add(_ page: Page) {
    guard page.query == query, page.number == 1 || page.number == nextPage else { return }
    if page.number == 1 { posts = [] }
    let count = posts.count
    append(page.posts)
    currentPage = page.number
    // A page that adds nothing is the last one, whatever it says: else a server that has no posts
    // left, or gives the same ones on every page, would be asked for ever.
    hasNextPage = posts.count < page.total && posts.count > count
  }

  /// Adds what is not listed yet: a post that moved from one page to the next in the meantime would
  /// be there twice. The service does not know of likes in flight, so those stay as shown.
  private mutating func append(_ more: [Post]) {
    var listed = Set(posts.map(\.id))
    for var post in more where listed.insert(post.id).inserted {
      if let like = likesInFlight[post.id] { post.setLiked(like.isLiked) }
      posts.append(post)
    }
  }

  fileprivate mutating func setLiked(_ isLiked: Bool, _ postID: Post.ID, isInFlight: Bool) {
    let wasLiked = likesInFlight[postID]?.wasLiked ?? self.isLiked(postID) ?? !isLiked
    likesInFlight[postID] =
      isInFlight ? HomeReactor.LikeInFlight(isLiked: isLiked, wasLiked: wasLiked) : nil
    guard let index = posts.firstIndex(where: { $0.id == postID }) else { return }
    posts[index].setLiked(isLiked)
  }

  /// Nobody waits for the answers any more: what was shown before the service had agreed is taken
  /// back. The next fetch tells what it made of it.
  fileprivate mutating func forgetWhatIsInFlight() {
    if isLoading { wasInterrupted = true }
    isLoading = false
    for index in posts.indices {
      if let like = likesInFlight[posts[index].id] { posts[index].setLiked(like.wasLiked) }
    }
    likesInFlight = [:]
  }
}
