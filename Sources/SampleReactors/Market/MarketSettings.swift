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
        "who signs in, such as u1; a token file must be empty or theirs; without it all stays as it was"
      ),
      AnyReactor.Setting(
        tokens, "a file to keep the device's token in; else it is forgotten at the end"),
    ]
  }

  /// What `settings` say.
  ///
  /// - Throws: `SettingsError.invalidValue` for an address that is none, a user that the catalogue
  ///   does not know, a file without a name, and a user whom the token in that file does not belong
  ///   to, as far as the token tells: those of the market do, another server's may not.
  init(_ settings: Settings, remote: (any RemoteServices)?) throws {
    users = try .from(settings)
    let tokens = try Self.tokenStore(settings)
    if let user = users.user { try Self.check(tokens, areOf: user) }
    if let remote, let api = try settings.api() {
      // A server goes by the token alone.
      services = remote.market(at: api, tokens: tokens, userID: users.user?.id)
    } else {
      let backend = MarketBackend()
      var services = MarketServices.embedded(backend, tokens: tokens, userID: users.user?.id)
      // Not the posts of the bundle, which ask whose the token is: whoever the log says is signed in
      // may like, also where no setting names them and a new process has no token of theirs.
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

  /// A user on screen whom the server knows as another would be a riddle. A file that cannot be read
  /// is for the first request to tell.
  private static func check(_ tokens: any TokenStore, areOf user: User) throws {
    guard let access = try? tokens.token()?.access.value, let token = TokenText(access),
      token.account != user.id
    else { return }
    throw SettingsError.invalidValue(
      user.id, key: UserStore.settingKey,
      expected: "\(token.account), whose token is in the file of the setting \"\(Self.tokens)\". "
        + "Leave the user out, or choose a file that is not there yet")
  }

  private static func tokenStore(_ settings: Settings) throws -> any TokenStore {
    guard let path = settings[tokens] else { return MemoryTokenStore() }
    guard !path.isEmpty else {
      throw SettingsError.invalidValue(path, key: tokens, expected: "the path of a file")
    }
    return FileTokenStore(path: path)
  }
}
