import Foundation
import SampleReactors

/// A music shop over HTTP, with the iTunes Search API: `GET /search?term=…&entity=…&limit=…`.
struct HTTPMusicService: MusicService {
  private let client: HTTPClient

  init(at base: URL, patience: HTTPClient.Patience = HTTPClient.Patience()) {
    client = HTTPClient(base: base, headers: ["Accept": "application/json"], patience: patience)
  }

  func items(of endpoint: MusicEndpoint) async throws -> [MusicItem] {
    let search = endpoint.search
    let request = HTTPRequest.get(
      "search",
      query: [
        ("term", search.term), ("entity", search.entity.rawValue), ("limit", "\(search.limit)"),
      ])
    return try await client.jsonUnsigned(ITunesAnswer.self, request).items
  }
}
