import Foundation
import SampleReactors

/// The samples' services over HTTP, for `sampleReactors(remote:)`.
public struct HTTPServices: RemoteServices {
  let patience: HTTPClient.Patience

  /// Services that give a request up after `timeout` seconds without a byte, and after `total`
  /// seconds in any case.
  public init(timeout: TimeInterval = 30, total: TimeInterval = 120) {
    patience = HTTPClient.Patience(idle: timeout, total: total)
  }

  /// The market at `api`, known there by the token in `tokens`. Where that is empty, requests sign in
  /// first: as the user `userID`, or anonymously for nil.
  public func market(at api: URL, tokens: any TokenStore, userID: User.ID?) -> MarketServices {
    MarketServices(
      over: HTTPMarket(at: api, patience: patience), tokens: tokens, userID: userID)
  }
}
