import Foundation
import MarketServer
import SampleReactors
import Testing

/// The samples through the tool and a real server: whoever reads the log cannot tell.
@Suite("Transcripts of the samples over HTTP", .timeLimit(.minutes(5)))
struct RemoteSampleTests {
  @Test(arguments: [
    "auth", "auth.signed-in", "create-post.anonymous", "home", "home.signed-out", "home-top10",
    "livestream", "livestream.onboarded", "login", "music.twice", "network", "profile",
    "profile.deleted",
  ])
  func the_log_is_the_one_of_the_embedded_services(_ name: String) async throws {
    let server = try MarketServer()
    let shell = try Shell()
    let folder = SampleTranscriptTests.folder.appendingPathComponent(name)
    let input = try Data(contentsOf: folder.appendingPathComponent("actions.ndjson"))
    let words = try? String(contentsOf: folder.appendingPathComponent("arguments"), encoding: .utf8)
    try shell.write(String(repeating: "k", count: 32), to: "refold.sqlite-key")
    let run = try await shell.refold(
      ["run", String(name.prefix { $0 != "." }), "--session", "s", "--sequential"]
        + ["--set", "api=\(server.url)", "--emit", "none"]
        + (words ?? "").split { $0.isWhitespace }.map(String.init), input: Array(input))
    #expect(run.code == 0 && run.error == "", "\(run.error)")
    let log = try await shell.refold("log", "s", "--json").lines
      .map(SampleTranscriptTests.timeless)
    let golden = try String(
      contentsOf: folder.appendingPathComponent("log.ndjson"), encoding: .utf8)
    #expect(log == golden.split(separator: "\n").map(String.init))
    await server.stop()
    try expectNoToken(shell, server)
  }

  @Test func a_token_is_kept_in_a_file_and_used_again() async throws {
    let server = try MarketServer()
    let shell = try Shell()
    for session in ["a", "b"] {
      let run = try await shell.refold(
        ["run", "home", "--session", session, "--set", "api=\(server.url)/", "--set", "user=u2"]
          + ["--set", "tokens=\(shell.path("token"))", "--emit", "none"],
        input: Array(#""fetchPostList""#.utf8))
      #expect(run.code == 0 && run.error == "", "\(run.error)")
    }
    #expect(server.requests.map(\.request.path) == [["auth", "login"], ["posts"], ["posts"]])
    await server.stop()
    try expectNoToken(shell, server)
  }

  @Test func a_server_that_is_not_there_is_an_error_in_the_log() async throws {
    let shell = try Shell()
    let run = try await shell.refold(
      ["run", "home", "--session", "s", "--set", "api=http://127.0.0.1:1"],
      input: Array(#""fetchPostList""#.utf8))
    #expect(run.code == 0)
    let reason = "nothing answers at 127.0.0.1:1\""
    #expect(
      run.lines.contains { $0.contains(#"{"setError":{"_0":{"network":{"reason":"\#(reason)"#) })
  }

  /// No file of the store has a text in it that any request carried as a token.
  private func expectNoToken(_ shell: Shell, _ server: MarketServer) throws {
    let tokens = Set(server.requests.compactMap { $0.request[header: "authorization"] })
      .compactMap { $0.split(separator: " ").last }
    // The samples beside the market have no accounts, and send no key.
    let isMarket = server.requests.contains { $0.request[header: "apikey"] != nil }
    #expect(tokens.isEmpty == !isMarket)
    for path in ["refold.sqlite", "refold.sqlite-wal"] {
      guard let bytes = FileManager.default.contents(atPath: shell.path(path)) else { continue }
      for token in tokens { #expect(bytes.range(of: Data(token.utf8)) == nil, "\(path)") }
    }
  }
}
