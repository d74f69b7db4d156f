/// Somebody who uses the market.
public struct User: Codable, Hashable, Identifiable, Sendable {
  /// Unique, for ever.
  public let id: String
  /// The name that others see.
  public var nickname: String

  /// A user of these parts.
  public init(id: String, nickname: String) {
    self.id = id
    self.nickname = nickname
  }
}
