import Refold

/// The reactors that come with the tool.
///
/// - Parameter remote: services over a network, which the setting `api` then turns to.
public func sampleReactors(remote: (any RemoteServices)? = nil) -> [AnyReactor] {
  [counter, editor, home(remote)]
}

private let counter = AnyReactor("the smallest reactor: a number that goes up and can be reset") {
  _ in CounterReactor()
}

private let editor = AnyReactor("a text that is edited by splices, offsets in Unicode scalars") {
  _ in EditorReactor()
}

private func home(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a market's home screen: posts by category and keyword, pages, likes",
    settings: MarketSettings.declared(remote)
  ) { settings in
    let market = try MarketSettings(settings, remote: remote)
    return HomeReactor(service: market.services.posts, users: market.users)
  }
}
