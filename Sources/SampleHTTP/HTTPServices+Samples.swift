import Foundation
import SampleReactors

// The services of the samples beside the market.
extension HTTPServices {
  /// The text at `api`.
  public func network(at api: URL) -> any NetworkService {
    HTTPNetworkService(at: api, patience: patience)
  }

  /// The music shop at `api`.
  public func music(at api: URL) -> any MusicService {
    HTTPMusicService(at: api, patience: patience)
  }

  /// The livestream's server at `api`.
  public func livestream(at api: URL) -> any LivestreamService {
    HTTPLivestreamService(at: api, patience: patience)
  }
}
