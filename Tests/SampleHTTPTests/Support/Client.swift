import Foundation
import MarketServer
import SampleReactors
import Testing

@testable import SampleHTTP

extension HTTPClient {
  /// A client of `server`, below `path`.
  convenience init(
    _ server: MarketServer, path: String = "", patience: Patience = Patience(),
    maximumAnswerBytes: Int = HTTPClient.maximumAnswerBytes
  ) throws {
    self.init(
      base: try #require(URL(string: server.url + path)),
      headers: ["apikey": MarketWire.demoKey], patience: patience,
      maximumAnswerBytes: maximumAnswerBytes)
  }
}

/// Runs `body` with a server and a client of it.
func withClient(
  patience: HTTPClient.Patience = HTTPClient.Patience(),
  maximumAnswerBytes: Int = HTTPClient.maximumAnswerBytes,
  _ body: (MarketServer, HTTPClient) async throws -> Void
) async throws {
  try await MarketServer.run { server async throws in
    try await body(
      server,
      HTTPClient(server, patience: patience, maximumAnswerBytes: maximumAnswerBytes))
  }
}

/// A port on which nothing listens.
func closedPort() async throws -> UInt16 {
  let server = try MarketServer()
  await server.stop()
  return server.port
}
