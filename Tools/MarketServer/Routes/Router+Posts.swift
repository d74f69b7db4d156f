import SampleReactors

extension Router {
  /// Posts and likes.
  static let posts = [
    Route("GET", "/posts") { call in
      let account = try call.account()
      let page = try call.backend.posts(
        try query(of: call), page: try call.number("page", otherwise: 1),
        size: min(try call.number("size", otherwise: Page.size), maximumPageSize), for: account)
      return try .json(MarketWire.PostList(total: page.total, posts: page.posts))
    },
    Route("GET", "/posts/top10") { call in
      try .json(call.backend.top10(for: try call.account()))
    },
    Route("PUT", "/posts/{id}/like") { call in
      try call.backend.setLike(true, postID: call.place("id"), by: try call.account())
      return .done
    },
    Route("DELETE", "/posts/{id}/like") { call in
      try call.backend.setLike(false, postID: call.place("id"), by: try call.account())
      return .done
    },
  ]

  private static let maximumPageSize = 100

  private static func query(of call: Call) throws -> PostQuery {
    let keyword = call.request.queryValue("keyword") ?? ""
    guard let name = call.request.queryValue("category") else {
      return PostQuery(keyword: keyword)
    }
    guard let category = CategoryFilter(name: name) else {
      throw AppError.badRequest(reason: "there is no category \(name)")
    }
    return PostQuery(category: category, keyword: keyword)
  }
}
