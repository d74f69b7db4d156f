import Foundation
import Refold
import SampleReactors

/// A livestream's server over HTTP; see `LivestreamWire` for its bodies.
struct HTTPLivestreamService: LivestreamService {
  private let client: HTTPClient

  init(at base: URL, patience: HTTPClient.Patience = HTTPClient.Patience()) {
    client = HTTPClient(base: base, headers: ["Accept": "application/json"], patience: patience)
  }

  func webViewPlayerURL() async throws -> URL {
    let player = try await client.jsonUnsigned(
      LivestreamWire.Player.self, .get("livestream", "player"))
    return try Self.playerURL(player.url)
  }

  func updateCurrentDeviceID(_ id: String) async throws {
    let body = try EventCodec().encode(LivestreamWire.Device(id: id))
    _ = try await client.sendUnsigned(
      HTTPRequest(method: .put, path: ["livestream", "device"], body: .json(body)))
  }

  func startStreaming() async throws { try await say("start") }

  func stopStreaming() async throws { try await say("stop") }

  private func say(_ word: String) async throws {
    _ = try await client.sendUnsigned(HTTPRequest(method: .post, path: ["livestream", word]))
  }
}
