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
  market("a market's home screen: posts by category and keyword, pages, likes", remote) {
    HomeReactor(service: $0.services.posts, users: $0.users)
  }
}

private func auth(_ remote: (any RemoteServices)?) -> AnyReactor {
  market(
    "who the device belongs to when an app starts: asks the server about its token", remote
  ) {
    AuthReactor(
      CheckAuthOnLaunch(
        auth: $0.services.auth, tokens: $0.services.tokens, users: $0.users, before: $0.signIn))
  }
}

private func login(_ remote: (any RemoteServices)?) -> AnyReactor {
  market("a sign-in screen: Google or Apple vouch for somebody, tokens stay secret", remote) {
    LoginReactor(auth: $0.services.auth, tokens: $0.services.tokens, users: $0.users)
  }
}

private func profile(_ remote: (any RemoteServices)?) -> AnyReactor {
  market("a profile screen: who is signed in, logout, deleting the account", remote) {
    ProfileReactor(auth: $0.services.auth, tokens: $0.services.tokens, users: $0.users)
  }
}

private func homeTop10(_ remote: (any RemoteServices)?) -> AnyReactor {
  market("the ten most liked posts", remote) { HomeTop10Reactor($0.services.top10) }
}

private func createPost(_ remote: (any RemoteServices)?) -> AnyReactor {
  market("a form for a new post: influencer search, image upload, dates, submit", remote) {
    CreatePostReactor(service: $0.services.registration)
  }
}

/// One of the market's reactors, over the services that its settings ask for.
private func market<R: Reactor>(
  _ summary: String, _ remote: (any RemoteServices)?,
  make: @escaping @Sendable (MarketSettings) -> R
) -> AnyReactor {
  AnyReactor(summary, settings: MarketSettings.declared(remote)) { settings in
    make(try MarketSettings(settings, remote: remote))
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
