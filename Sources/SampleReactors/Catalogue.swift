import Refold

/// The reactors that come with the tool.
public let sampleReactors: [AnyReactor] = [
  AnyReactor("the smallest reactor: a number that goes up and can be reset") { _ in
    CounterReactor()
  },
  AnyReactor("a text that is edited by splices, offsets in Unicode scalars") { _ in
    EditorReactor()
  },
  AnyReactor(
    "a market's home screen: posts by category and keyword, pages, likes",
    settings: [
      AnyReactor.Setting(
        UserStore.settingKey,
        "the id of who signs in first, such as u1; without it, who was signed in stays so")
    ]
  ) { settings in
    HomeReactor(users: try .from(settings))
  },
]
