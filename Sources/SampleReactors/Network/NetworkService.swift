/// Where a text comes from. What it throws reaches people as an `AppError`.
public protocol NetworkService: Sendable {
  /// The text.
  ///
  /// - Throws: `AppError.undecodable` for an answer that is not UTF-8; `CancellationError`.
  func fetchData() async throws -> String
}

extension NetworkService {
  /// The text whose UTF-8 is `bytes`.
  ///
  /// - Throws: `AppError.undecodable` where that is none.
  /// - Complexity: O(n)
  package static func text(of bytes: [UInt8]) throws -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw AppError.undecodable(reason: "its \(bytes.count) bytes are not UTF-8")
    }
    return text
  }
}

/// The embedded service: it answers with the same bytes every time, with no network.
public struct EmbeddedNetworkService: NetworkService {
  private let bytes: [UInt8]
  private let beforeAnswering: @Sendable () async throws -> Void

  /// What is answered unless something else is asked for.
  public static let text = "Hello from far away."

  /// A service that answers with `bytes`.
  ///
  /// - Parameter beforeAnswering: awaited before each answer. How long it takes delays the answer,
  ///   and what it throws is the answer: for tests and demonstrations.
  public init(
    _ bytes: [UInt8] = Array(EmbeddedNetworkService.text.utf8),
    beforeAnswering: @escaping @Sendable () async throws -> Void = {}
  ) {
    self.bytes = bytes
    self.beforeAnswering = beforeAnswering
  }

  /// As `NetworkService.fetchData()`; also throws what `beforeAnswering` does.
  public func fetchData() async throws -> String {
    try await beforeAnswering()
    return try Self.text(of: bytes)
  }
}
