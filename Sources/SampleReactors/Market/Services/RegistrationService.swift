import Foundation

/// What creating a post needs. What it throws reaches people as an `AppError`.
public protocol RegistrationService: Sendable {
  /// The influencers whose name contains `keyword`, in any case of letters.
  func influencers(matching keyword: String) async throws -> [Influencer]

  /// Stores `image`, and says where it is.
  func upload(_ image: Data) async throws -> URL

  /// Creates a post.
  ///
  /// - Throws: `AppError.invalidCredentials` for somebody who may not; `.conflict` where the same product
  ///   of the same influencer is there already.
  func create(_ draft: PostDraft) async throws -> Post
}

/// A post that is not there yet.
public struct PostDraft: Codable, Hashable, Sendable {
  /// What is sold.
  public var productName: String
  /// The price of one in won.
  public var price: Int
  /// What it is listed under.
  public var category: GroupBuyingCategory
  /// Who gathers the buyers.
  public var influencerID: Influencer.ID
  /// Where its picture is.
  public var imageURL: URL
  /// When orders are taken from.
  public var startDate: Date
  /// When orders are taken until.
  public var endDate: Date

  /// A draft of these parts.
  public init(
    productName: String, price: Int, category: GroupBuyingCategory,
    influencerID: Influencer.ID, imageURL: URL, startDate: Date, endDate: Date
  ) {
    self.productName = productName
    self.price = price
    self.category = category
    self.influencerID = influencerID
    self.imageURL = imageURL
    self.startDate = startDate
    self.endDate = endDate
  }
}
