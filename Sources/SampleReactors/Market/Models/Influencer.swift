/// Somebody who gathers buyers.
public struct Influencer: Codable, Hashable, Identifiable, Sendable {
  /// Unique, for ever.
  public let id: String
  /// The name on the account, without a leading @.
  public var name: String

  /// An influencer of these parts.
  public init(id: String, name: String) {
    self.id = id
    self.name = name
  }
}
