import Refold

/// The reactors that come with the tool.
///
/// - Parameter remote: services over a network, which the setting `api` then turns to.
public func sampleReactors(remote: (any RemoteServices)? = nil) -> [AnyReactor] {
  [
    counter, editor, home(remote), auth(remote), login(remote), profile(remote),
    homeTop10(remote), createPost(remote), network(remote), music(remote), livestream(remote),
  ]
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

private func auth(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "who the device belongs to when an app starts: asks the server about its token",
    settings: MarketSettings.declared(remote)
  ) { settings in
    let market = try MarketSettings(settings, remote: remote)
    return AuthReactor(
      CheckAuthOnLaunch(
        auth: market.services.auth, tokens: market.services.tokens, users: market.users,
        before: market.signIn))
  }
}

private func login(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a sign-in screen: Google or Apple vouch for somebody, tokens stay secret",
    settings: MarketSettings.declared(remote)
  ) { settings in
    let market = try MarketSettings(settings, remote: remote)
    return LoginReactor(
      auth: market.services.auth, tokens: market.services.tokens, users: market.users)
  }
}

private func profile(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a profile screen: who is signed in, logout, deleting the account",
    settings: MarketSettings.declared(remote)
  ) { settings in
    let market = try MarketSettings(settings, remote: remote)
    return ProfileReactor(
      auth: market.services.auth, tokens: market.services.tokens, users: market.users)
  }
}

private func homeTop10(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor("the ten most liked posts", settings: MarketSettings.declared(remote)) { settings in
    HomeTop10Reactor(try MarketSettings(settings, remote: remote).services.top10)
  }
}

private func createPost(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a form for a new post: influencer search, image upload, dates, submit",
    settings: MarketSettings.declared(remote)
  ) { settings in
    CreatePostReactor(
      service: try MarketSettings(settings, remote: remote).services.registration)
  }
}

private func network(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a text from a network, and what may go wrong on the way", settings: Setting.api(remote)
  ) { settings in
    NetworkReactor(
      service: try settings.service(remote, embedded: EmbeddedNetworkService()) {
        $0.network(at: $1)
      })
  }
}

private func music(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "a music shop's front: five requests at once, five sections in a fixed order",
    settings: Setting.api(remote)
  ) { settings in
    MusicReactor(
      service: try settings.service(remote, embedded: EmbeddedMusicService()) { $0.music(at: $1) })
  }
}

private func livestream(_ remote: (any RemoteServices)?) -> AnyReactor {
  AnyReactor(
    "the screen that a livestream is sent from",
    settings: [
      Setting(
        LivestreamReactor.onboardingKey,
        "shown: the onboarding was shown before; new: show it again; else, what the log says")
    ] + Setting.api(remote)
  ) { settings in
    LivestreamReactor(
      service: try settings.service(remote, embedded: EmbeddedLivestreamService()) {
        $0.livestream(at: $1)
      },
      wasOnboardingShown: try LivestreamReactor.wasOnboardingShown(settings))
  }
}

private typealias Setting = AnyReactor.Setting
