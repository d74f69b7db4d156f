import Foundation
import SampleReactors

/// The samples' services over HTTP, for `sampleReactors(remote:)`.
public struct HTTPServices: RemoteServices {
  let patience: HTTPClient.Patience

  /// Services that give a request up after `idle` seconds without a byte, at least 1, and after
  /// `total` in any case.
  public init(idle: Int = 30, total: Duration = .seconds(120)) {
    patience = HTTPClient.Patience(idle: idle, total: total)
  }

  /// The market at `api`, known there by the token in `tokens`. Where that is empty, requests sign in
  /// first: as the user `userID`, or anonymously for nil.
  public func market(at api: URL, tokens: any TokenStore, userID: User.ID?) -> MarketServices {
    MarketServices(
      over: HTTPMarket(at: api, patience: patience), tokens: tokens, userID: userID)
  }
}
