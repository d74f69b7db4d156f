import Foundation
import SampleReactors

// What a test's own remote services need not say: these samples are embedded.
extension RemoteServices {
  func network(at api: URL) -> any NetworkService { EmbeddedNetworkService() }
  func music(at api: URL) -> any MusicService { EmbeddedMusicService() }
  func livestream(at api: URL) -> any LivestreamService { EmbeddedLivestreamService() }
}
