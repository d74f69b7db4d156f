import SampleReactors

extension Router {
  /// A livestream's server, which agrees to everything.
  static let livestream = [
    Route("GET", "/livestream/player", needsKey: false) { _ in
      try .json(LivestreamWire.Player(url: EmbeddedLivestreamService.playerAddress))
    },
    Route("PUT", "/livestream/device", needsBody: true, needsKey: false) { call in
      guard try !call.body(LivestreamWire.Device.self).id.isEmpty else {
        throw AppError.badRequest(reason: "the device's id is empty")
      }
      return .done
    },
    Route("POST", "/livestream/start", needsKey: false) { _ in .done },
    Route("POST", "/livestream/stop", needsKey: false) { _ in .done },
  ]
}
