import Foundation

/// What the embedded services know: the same users, influencers and posts on every machine.
public enum MarketCatalogue {
  /// Everybody who can sign in: `u1` to `u5`.
  public static let users: [User] = [
    User(id: "u1", nickname: "Mina"), User(id: "u2", nickname: "Jun"),
    User(id: "u3", nickname: "Sora"), User(id: "u4", nickname: "Tae"),
    User(id: "u5", nickname: "Yuri"),
  ]

  /// Everybody who gathers buyers.
  public static let influencers: [Influencer] = [
    Influencer(id: "i1", name: "daily.haru"), Influencer(id: "i2", name: "slow_table"),
    Influencer(id: "i3", name: "minimal.min"), Influencer(id: "i4", name: "run.with.bori"),
    Influencer(id: "i5", name: "studio_nari"), Influencer(id: "i6", name: "weekend.jay"),
    Influencer(id: "i7", name: "green.ona"),
  ]

  /// How many posts there are: 40 in each of the 13 categories.
  public static let postCount = GroupBuyingCategory.allCases.count * goods.count * editions.count

  /// Every post, newest first: `p1` to `p520`, of each category in turn.
  public static let posts: [Post] = (0..<postCount).map(post)

  /// The post at `index`: everything about it follows from the number.
  private static func post(_ index: Int) -> Post {
    let categories = GroupBuyingCategory.allCases
    let (place, category) = index.quotientAndRemainder(dividingBy: categories.count)
    let (edition, good) = place.quotientAndRemainder(dividingBy: goods.count)
    let kind = categories[category]
    let start = firstStart.addingTimeInterval(Double(-index * 6) * hour)
    return Post(
      id: "p\(index + 1)", title: "\(editions[edition]) \(kind.rawValue) \(goods[good])",
      category: kind,
      influencer: influencers[index * 5 % influencers.count], price: 4900 + index * 37 % 96 * 500,
      startDate: start, endDate: start.addingTimeInterval(Double(72 + index % 5 * 24) * hour),
      likeCount: index * 7919 % 400, isLiked: false)
  }

  private static let goods = ["set", "box", "kit", "pack", "pouch", "bundle", "refill", "case"]
  private static let editions = ["Everyday", "Fresh", "Limited", "Handmade", "Family"]
  private static let hour = 3600.0

  /// 2026-06-01T00:00:00Z.
  private static let firstStart = Date(timeIntervalSince1970: 1_780_272_000)
}
