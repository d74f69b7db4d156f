import Foundation

/// A group buying: what can be had together until when, through whom.
public struct Post: Codable, Hashable, Identifiable, Sendable {
  /// Unique, for ever.
  public let id: String
  /// What is sold.
  public var title: String
  /// The one category that it is listed under.
  public var category: GroupBuyingCategory
  /// Who gathers the buyers.
  public var influencer: Influencer
  /// The price of one in won.
  public var price: Int
  /// When orders are taken from.
  public var startDate: Date
  /// When orders are taken until.
  public var endDate: Date
  /// How many people like it.
  public var likeCount: Int
  /// Whether the user that it was fetched for does.
  public var isLiked: Bool

  /// A post of these parts.
  public init(
    id: String, title: String, category: GroupBuyingCategory, influencer: Influencer, price: Int,
    startDate: Date, endDate: Date, likeCount: Int, isLiked: Bool
  ) {
    self.id = id
    self.title = title
    self.category = category
    self.influencer = influencer
    self.price = price
    self.startDate = startDate
    self.endDate = endDate
    self.likeCount = likeCount
    self.isLiked = isLiked
  }

  /// Where the post stands at `date`.
  public func status(at date: Date) -> GroupBuyingStatus {
    GroupBuyingStatus(from: startDate, to: endDate, at: date)
  }

  /// Likes it or takes that back; the count follows where that changes something.
  mutating func setLiked(_ isLiked: Bool) {
    guard isLiked != self.isLiked else { return }
    self.isLiked = isLiked
    likeCount = isLiked ? likeCount &+ 1 : max(likeCount &- 1, 0)
  }
}

/// Where a group buying stands at some moment. Never stored: it changes by itself.
public enum GroupBuyingStatus: String, Codable, CaseIterable, Sendable {
  /// It has not begun.
  case upcoming
  /// Orders are taken.
  case open
  /// It is over.
  case closed

  /// The status at `date` of what takes orders from `start` up to, and not including, `end`.
  public init(from start: Date, to end: Date, at date: Date) {
    if date >= end {
      self = .closed
    } else {
      self = date < start ? .upcoming : .open
    }
  }
}
