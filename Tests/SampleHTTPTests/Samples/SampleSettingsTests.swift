import Refold
import SampleHTTP
import SampleReactors
import Testing

@Suite("The setting api", .timeLimit(.minutes(5)))
struct SampleSettingsTests {
  private func entry(_ name: String, isRemote: Bool = true) throws -> AnyReactor {
    let reactors = isRemote ? sampleReactors(remote: HTTPServices()) : sampleReactors()
    return try #require(reactors.first { $0.name == name })
  }

  @Test func turns_network_and_music_to_a_server() async throws {
    let server = try SampleServer.start()
    let settings = Settings(["api": server.server.url])
    let network = try #require(try entry("network").make(settings) as? NetworkReactor)
    try await SampleSession.open(network).run(.fetchData)
    let music = try #require(try entry("music").make(settings) as? MusicReactor)
    try await SampleSession.open(music).run(.viewDidLoad)
    let livestream = try #require(try entry("livestream").make(settings) as? LivestreamReactor)
    try await SampleSession.open(livestream).run(.viewDidLoad)
    let asked = server.server.requests.map { "\($0.request.method) \($0.request.path[0])" }
    #expect(Set(asked) == ["GET data", "GET search", "GET livestream", "PUT livestream"])
    #expect(asked.count == 8)
  }

  @Test(arguments: ["network", "music", "livestream"])
  func is_checked_and_unknown_where_nothing_can_reach_it(_ name: String) throws {
    for address in ["", "127.0.0.1:80", "ftp://host", "http://", "http://u:p@host", "http://h?a"] {
      #expect(throws: SettingsError.self) {
        try entry(name).make(Settings(["api": address]))
      }
    }
    #expect(throws: SettingsError.self) {
      try entry(name, isRemote: false).make(Settings(["api": "http://127.0.0.1:8080"]))
    }
  }
}
