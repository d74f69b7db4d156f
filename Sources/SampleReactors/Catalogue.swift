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
    settings: [
      AnyReactor.Setting(
        UserStore.settingKey,
        "the id of who signs in first, such as u1; without it, who was signed in stays so")
    ]
  ) { settings in
    HomeReactor(users: try .from(settings))
  }
}
