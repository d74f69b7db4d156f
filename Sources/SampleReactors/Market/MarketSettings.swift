import Refold

/// What the market's reactors make of `--set`: the services of one session, and who is signed in.
struct MarketSettings: Sendable {
  /// Embedded services, or those of the API that `api` names.
  let services: MarketServices
  /// Signed in whoever `user` names; else unknown.
  let users: UserStore

  private static let tokens = "tokens"

  /// The settings there are. `api` only where there is something to reach it with.
  static func declared(_ remote: (any RemoteServices)?) -> [AnyReactor.Setting] {
    AnyReactor.Setting.api(remote) + [
      AnyReactor.Setting(
        UserStore.settingKey,
        "the id of who signs in first, such as u1; without it, who was signed in stays so"),
      AnyReactor.Setting(
        tokens, "a file to keep the device's token in; else it is forgotten at the end"),
    ]
  }

  /// What `settings` say.
  ///
  /// - Throws: `SettingsError.invalidValue` for an address that is none, a user that the catalogue
  ///   does not know, and a file without a name.
  init(_ settings: Settings, remote: (any RemoteServices)?) throws {
    users = try .from(settings)
    let tokens = try Self.tokenStore(settings)
    if let remote, let api = try settings.api() {
      services = remote.market(at: api, tokens: tokens, userID: users.user?.id)
    } else {
      let backend = MarketBackend()
      var services = MarketServices.embedded(backend, tokens: tokens, userID: users.user?.id)
      // Whoever the log says is signed in may like, also where no setting names them.
      services.posts = EmbeddedPostService(backend: backend)
      self.services = services
    }
  }

  /// Signs the user in whom `user` names, where the device has no token yet; a request does so by
  /// itself.
  ///
  /// - Throws: what the services do.
  @Sendable func signIn() async throws {
    guard users.isLoggedIn, try services.tokens.token() == nil else { return }
    _ = try await services.auth.me()
  }

  private static func tokenStore(_ settings: Settings) throws -> any TokenStore {
    guard let path = settings[tokens] else { return MemoryTokenStore() }
    guard !path.isEmpty else {
      throw SettingsError.invalidValue(path, key: tokens, expected: "the path of a file")
    }
    return FileTokenStore(path: path)
  }
}
