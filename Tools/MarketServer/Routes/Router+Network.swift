import SampleReactors

extension Router {
  /// A text, for whoever asks.
  static let network = [
    Route("GET", "/data", needsKey: false) { _ in
      Answer(
        status: 200, type: "text/plain; charset=utf-8",
        body: Array(EmbeddedNetworkService.text.utf8))
    }
  ]
}
