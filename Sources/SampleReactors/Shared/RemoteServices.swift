import Foundation

/// The samples' services over a network, for the setting `api`. A tool links them where it wants
/// them: `sampleReactors(remote: HTTPServices())`. Without, everything is embedded.
public protocol RemoteServices: Sendable {
  /// The market at `api`, known there by the token in `tokens`. Where that is empty, requests sign in
  /// first: as the user `userID`, or anonymously for nil.
  func market(at api: URL, tokens: any TokenStore, userID: User.ID?) -> MarketServices

  /// The text at `api`.
  func network(at api: URL) -> any NetworkService

  /// The music shop at `api`.
  func music(at api: URL) -> any MusicService

  /// The livestream's server at `api`.
  func livestream(at api: URL) -> any LivestreamService
}
