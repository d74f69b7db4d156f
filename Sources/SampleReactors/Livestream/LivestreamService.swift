import Foundation

/// The server of a livestream. What it throws reaches people as an `AppError`.
public protocol LivestreamService: Sendable {
  /// What the player has to load to show the stream.
  func webViewPlayerURL() async throws -> URL

  /// Says that the stream comes from the device `id` from now on.
  func updateCurrentDeviceID(_ id: String) async throws

  /// Takes the stream on air. Saying so twice is the same as once.
  func startStreaming() async throws

  /// Ends the stream. Saying so twice is the same as once.
  func stopStreaming() async throws
}

/// The embedded service: it agrees to everything, with no network.
public struct EmbeddedLivestreamService: LivestreamService {
  /// What a service is asked for.
  public enum Call: Hashable, Sendable {
    /// Where the player is.
    case webViewPlayerURL
    /// What the device is known by.
    case updateCurrentDeviceID(String)
    /// Go on air.
    case startStreaming
    /// End the stream.
    case stopStreaming
  }

  private let beforeAnswering: @Sendable (Call) async throws -> Void

  /// Where the embedded player would be.
  public static let playerAddress = "https://live.example/player/1"

  /// A service.
  ///
  /// - Parameter beforeAnswering: awaited before each answer. How long it takes delays the answer,
  ///   and what it throws is the answer: for tests and demonstrations.
  public init(beforeAnswering: @escaping @Sendable (Call) async throws -> Void = { _ in }) {
    self.beforeAnswering = beforeAnswering
  }

  /// As `LivestreamService.webViewPlayerURL()`.
  public func webViewPlayerURL() async throws -> URL {
    try await beforeAnswering(.webViewPlayerURL)
    return try Self.playerURL(Self.playerAddress)
  }

  /// As `LivestreamService.updateCurrentDeviceID(_:)`.
  public func updateCurrentDeviceID(_ id: String) async throws {
    try await beforeAnswering(.updateCurrentDeviceID(id))
  }

  /// As `LivestreamService.startStreaming()`.
  public func startStreaming() async throws { try await beforeAnswering(.startStreaming) }

  /// As `LivestreamService.stopStreaming()`.
  public func stopStreaming() async throws { try await beforeAnswering(.stopStreaming) }
}

extension LivestreamService {
  /// The player at `address`.
  ///
  /// - Throws: `AppError.undecodable` for what a player cannot load.
  package static func playerURL(_ address: String) throws -> URL {
    guard let url = URL(webAddress: address) else {
      throw AppError.undecodable(reason: "it has no web address of a player")
    }
    return url
  }
}
