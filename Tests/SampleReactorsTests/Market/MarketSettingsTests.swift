import Foundation
import Refold
import SampleReactors
import Synchronization
import Testing

@Suite("The settings of the market's reactors", .timeLimit(.minutes(5)))
struct MarketSettingsTests {
  static let names = ["home", "auth", "login", "profile", "home-top10", "create-post"]

  private func entry(_ name: String, _ remote: (any RemoteServices)? = nil) throws -> AnyReactor {
    try #require(sampleReactors(remote: remote).first { $0.name == name })
  }

  @Test(arguments: names) func are_the_same_for_all(_ name: String) throws {
    #expect(try entry(name).settings.map(\.key) == ["user", "tokens"])
    #expect(try entry(name, Remote()).settings.map(\.key) == ["api", "user", "tokens"])
    // Without anything to reach it with, an address would be ignored: it is refused instead.
    #expect(throws: SettingsError.self) {
      try entry(name).make(Settings(["api": "http://127.0.0.1:1"]))
    }
  }

  @Test(arguments: names) func lead_to_the_server_that_the_address_names(_ name: String) throws {
    let remote = Remote()
    let settings = Settings(["api": "http://127.0.0.1:8080/v1", "user": "u2"])
    _ = try entry(name, remote).make(settings)
    #expect(remote.asked.withLock { $0 } == ["http://127.0.0.1:8080/v1 u2"])
    _ = try entry(name, remote).make()
    #expect(remote.asked.withLock { $0.count } == 1)
  }

  @Test(arguments: names) func that_mean_nothing_are_refused_with_what_does(_ name: String) throws {
    let entry = try entry(name, Remote())
    for (key, value, expected) in [
      ("api", "localhost", "http://"), ("user", "u9", "u1, u2"), ("tokens", "", "a file"),
    ] {
      let error = try #require(throws: SettingsError.self) {
        try entry.make(Settings([key: value]))
      }
      #expect("\(error)".contains("the setting \"\(key)\""))
      #expect("\(error)".contains(expected))
    }
  }

  @Test func sign_a_user_in_before_the_first_check() async throws {
    let make = try entry("auth").make(Settings(["user": "u2"]))
    let screen = try await Screen.open(try #require(make as? AuthReactor))
    try await screen.run(.checkAuth)
    #expect(screen.state.authState == .authenticated(MarketCatalogue.users[1]))
  }

  @Test(arguments: names)
  func refuse_a_user_whom_the_token_in_the_file_does_not_belong_to(_ name: String) throws {
    let path = NSTemporaryDirectory() + "token-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let (store, backend) = (FileTokenStore(path: path), MarketBackend())
    func make(_ user: String, api: String? = nil) throws {
      var settings = ["user": user, "tokens": path]
      settings["api"] = api
      _ = try entry(name, Remote()).make(Settings(settings))
    }
    try make("u2")
    try store.save(try backend.signIn(with: .google, idToken: "google-u1").token)
    try make("u1")
    for api in [nil, "http://127.0.0.1:8080"] {
      let error = try #require(throws: SettingsError.self) { try make("u2", api: api) }
      #expect(
        "\(error)" == """
          "u2" is no value for the setting "user": expected u1, whose token is in the file of the \
          setting "tokens". Leave the user out, or choose a file that is not there yet
          """)
    }
    try store.save(backend.signInAnonymously().token)
    #expect(throws: SettingsError.self) { try make("u1") }
    // A token of another server says nothing of whose it is.
    try store.save(.named("opaque"))
    try make("u2", api: "http://127.0.0.1:8080")
  }

  /// Notes which server it is asked for.
  private final class Remote: RemoteServices {
    let asked = Mutex<[String]>([])

    func market(at api: URL, tokens: any TokenStore, userID: User.ID?) -> MarketServices {
      asked.withLock { $0.append("\(api.absoluteString) \(userID ?? "-")") }
      return .embedded(tokens: tokens, userID: userID)
    }
  }
}
