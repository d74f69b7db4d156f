import Foundation
import SampleReactors

/// A text over HTTP: `GET /data`.
struct HTTPNetworkService: NetworkService {
  private let client: HTTPClient

  init(at base: URL, patience: HTTPClient.Patience = HTTPClient.Patience()) {
    client = HTTPClient(base: base, headers: ["Accept": "text/plain"], patience: patience)
  }

  /// As `NetworkService.fetchData()`. An answer with any other status than success is an error, and
  /// its body no data.
  func fetchData() async throws -> String {
    try Self.text(of: try await client.sendUnsigned(.get("data")))
  }
}
