/// Where the most liked posts come from. What it throws reaches people as an `AppError`.
public protocol Top10Service: Sendable {
  /// The ten most liked posts, most liked first; of equally liked ones the newer first.
  func top10Posts() async throws -> [Post]
}
