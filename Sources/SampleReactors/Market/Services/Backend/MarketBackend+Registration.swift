import Foundation

extension MarketBackend {
  /// The influencers whose name contains `keyword`, in any case of letters; all for an empty one.
  public func influencers(matching keyword: String) -> [Influencer] {
    let keyword = keyword.lowercased()
    return MarketCatalogue.influencers.filter {
      keyword.isEmpty || $0.name.lowercased().contains(keyword)
    }
  }

  /// Stores `image`; what it can be fetched by.
  ///
  /// - Throws: `AppError.invalidCredentials` for an anonymous account; `.badRequest` for an image of
  ///   no bytes; `.tooLarge` for one of more than `PostImage.maximumBytes`.
  public func storeImage(_ image: Data, by account: Account) throws(AppError) -> String {
    _ = try account.requireUser()
    guard !image.isEmpty else { throw .badRequest(reason: "the image is empty") }
    try PostImage.checkSize(of: image)
    return state.withLock { $0.images.add(image) }
  }

  /// The image `id`.
  /// - Throws: `AppError.notFound` where there is none, or not any more.
  public func image(_ id: String) throws(AppError) -> Data {
    let image = state.withLock { $0.images[id] }
    guard let image else { throw .notFound(what: "image \(id)") }
    return image
  }

  /// Creates a post, the newest of all: `p521` on the catalogue, then `p522`.
  ///
  /// - Throws: `AppError.invalidCredentials` for an anonymous account; `.badRequest` for a draft that
  ///   cannot be a post; `.notFound` for an unknown influencer; `.conflict` where the same product of
  ///   the same influencer is there already.
  /// - Complexity: O(n) for n posts in the market.
  public func create(_ draft: PostDraft, by account: Account) throws(AppError) -> Post {
    _ = try account.requireUser()
    if let reason = draft.fault { throw .badRequest(reason: reason) }
    let influencer = MarketCatalogue.influencers.first { $0.id == draft.influencerID }
    guard let influencer else { throw .notFound(what: "influencer \(draft.influencerID)") }
    let post = state.withLock { $0.add(draft, influencer) }
    guard let post else { throw .conflict(code: Self.duplicatePost) }
    return post
  }

  /// The code of the conflict where a product of an influencer is there already.
  public static let duplicatePost = "DUPLICATE_POST"
}

extension PostDraft {
  /// Why it cannot be a post; nil where it can.
  fileprivate var fault: String? {
    if productName.isEmpty { return "the product has no name" }
    if price < 0 { return "the price is \(price)" }
    if startDate >= endDate { return "it ends before it starts" }
    return nil
  }
}

extension Market {
  /// The post that `draft` becomes; nil where it is there already.
  fileprivate mutating func add(_ draft: PostDraft, _ influencer: Influencer) -> Post? {
    let isThere = posts.contains {
      $0.title == draft.productName && $0.influencer.id == influencer.id
    }
    guard !isThere else { return nil }
    let post = Post(
      id: "p\(nextPost)", title: draft.productName, category: draft.category,
      influencer: influencer, price: draft.price, startDate: draft.startDate,
      endDate: draft.endDate, likeCount: 0, isLiked: false)
    nextPost += 1
    posts.insert(post, at: 0)
    return post
  }
}

/// The images that were uploaded last.
struct ImageShelf: Sendable {
  private var images: [Int: Data] = [:]
  private var next = 1

  /// Enough for a demonstration, and 640 MiB at most.
  static let capacity = 64

  /// Keeps `image` in place of the oldest one where there are too many.
  mutating func add(_ image: Data) -> String {
    defer { next += 1 }
    images[next] = image
    images[next - Self.capacity] = nil
    return "\(next)"
  }

  subscript(_ id: String) -> Data? { Int(id).flatMap { images[$0] } }
}
