import Foundation
import Refold
import SampleReactors
import Synchronization
import Testing

@Suite("The reactors that come with the tool")
struct SampleListTests {
  private func entry(_ name: String) throws -> AnyReactor {
    try #require(sampleReactors().first { $0.name == name })
  }

  private func texts(_ name: String) throws -> [String] {
    try entry(name).exampleActions.map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func every_reactor_has_a_name_of_its_own_a_line_for_people_and_examples() {
    #expect(
      sampleReactors().map(\.name) == [
        "counter", "editor", "home", "auth", "login", "profile", "home-top10", "create-post",
        "network", "music", "livestream",
      ])
    #expect(sampleReactors().allSatisfy { !$0.summary.isEmpty && !$0.exampleActions.isEmpty })
  }

  @Test func every_example_can_be_sent() throws {
    for bytes in try entry("home").exampleActions {
      _ = try EventCodec().decode(HomeReactor.Action.self, from: bytes)
    }
    #expect(try entry("home").exampleActions.count == 13)
    #expect(try texts("network") == [#"{"fetchData":{}}"#])
    #expect(try texts("music") == [#"{"viewDidLoad":{}}"#])
    #expect(try entry("livestream").exampleActions.count == 5)
    let edit = try #require(try entry("editor").exampleActions.first)
    #expect(String(decoding: edit, as: UTF8.self) == #"{"edit":{"at":0,"delete":0,"insert":"a"}}"#)
  }

  @Test func home_takes_a_user_that_the_catalogue_knows() throws {
    #expect(try entry("home").make(Settings(["user": "u1"])) is HomeReactor)
    let error = #expect(throws: SettingsError.self) {
      try entry("home").make(Settings(["user": "u9"]))
    }
    #expect(
      error.map { "\($0)" }
        == #""u9" is no value for the setting "user": expected one of u1, u2, u3, u4, u5"#)
    #expect(throws: SettingsError.self) { try entry("editor").make(Settings(["user": "u1"])) }
  }

  @Test func livestream_is_told_whether_the_onboarding_was_shown() throws {
    for word in ["shown", "new"] {
      #expect(try entry("livestream").make(Settings(["onboarding": word])) is LivestreamReactor)
    }
    let error = #expect(throws: SettingsError.self) {
      try entry("livestream").make(Settings(["onboarding": "yes"]))
    }
    #expect(
      error.map { "\($0)" }
        == #""yes" is no value for the setting "onboarding": expected shown or new"#)
  }

  @Test func the_address_of_a_server_is_taken_only_where_something_can_reach_it() throws {
    #expect(try entry("home").settings.map(\.key) == ["user", "tokens"])
    #expect(throws: SettingsError.self) {
      try entry("home").make(Settings(["api": "http://127.0.0.1:8080"]))
    }
    let asked = AskedServices()
    let home = try #require(sampleReactors(remote: asked).first { $0.name == "home" })
    #expect(home.settings.map(\.key) == ["api", "user", "tokens"])
    _ = try home.make(Settings(["user": "u1"]))
    #expect(asked.words == [], "without the setting nothing is remote")
    for api in ["http://127.0.0.1:8080", "https://example.org/api/", "HTTP://[::1]:1"] {
      _ = try home.make(Settings(["api": api, "user": "u1"]))
      #expect(asked.words.last == "\(api) u1")
    }
    _ = try home.make(Settings(["api": "http://localhost"]))
    #expect(asked.words.last == "http://localhost nobody")
  }

  @Test(arguments: [
    "", "127.0.0.1:8080", "localhost", "ftp://127.0.0.1", "http://", "http:///x", "http://a b",
    "http://h?q=1", "http://h#f", "http://h:0", "http://h:70000", "file:///tmp/x",
  ])
  func an_address_that_is_none_is_refused_with_what_was_expected(_ api: String) throws {
    let home = try #require(sampleReactors(remote: AskedServices()).first { $0.name == "home" })
    let error = #expect(throws: SettingsError.self) { try home.make(Settings(["api": api])) }
    #expect(
      error.map { "\($0)" } == """
        "\(api)" is no value for the setting "api": expected http:// or https://, a host, and \
        perhaps a port and a path; nothing else
        """)
  }

  @Test func a_password_in_an_address_is_not_repeated() throws {
    let home = try #require(sampleReactors(remote: AskedServices()).first { $0.name == "home" })
    let error = #expect(throws: SettingsError.self) {
      try home.make(Settings(["api": "http://mina:s3cret@host"]))
    }
    #expect(error.map { "\($0)" }?.contains("s3cret") == false)
  }

  @Test func a_file_for_the_token_needs_a_name() throws {
    #expect(try entry("home").make(Settings(["tokens": "/tmp/token"])) is HomeReactor)
    #expect(throws: SettingsError.self) { try entry("home").make(Settings(["tokens": ""])) }
  }
}

/// Remote services that only note what they were asked for.
private final class AskedServices: RemoteServices {
  private let asked = Mutex<[String]>([])

  var words: [String] { asked.withLock { $0 } }

  func market(at api: URL, tokens: any TokenStore, userID: User.ID?) -> MarketServices {
    asked.withLock { $0.append("\(api.absoluteString) \(userID ?? "nobody")") }
    return .embedded(tokens: tokens, userID: userID)
  }
}
