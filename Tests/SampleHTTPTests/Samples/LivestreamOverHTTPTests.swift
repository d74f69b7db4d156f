import Foundation
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Testing

@Suite("Livestream over HTTP", .timeLimit(.minutes(5)))
struct LivestreamOverHTTPTests {
  private let server: SampleServer

  init() throws { server = try SampleServer.start() }

  private func service(_ origin: SampleOrigin) -> any LivestreamService {
    switch origin {
    case .embedded: EmbeddedLivestreamService()
    case .http: server.services.livestream(at: server.url)
    }
  }

  private func open(_ origin: SampleOrigin = .http) async throws -> SampleSession<LivestreamReactor>
  {
    try await .open(LivestreamReactor(service: service(origin), deviceID: "phone 1"))
  }

  private static let atOnce = [
    "updateNeedToLockOrientation(true)", "updateAudioLevelMeterState",
    "updateSetUpInitialStream(true)", "setCamera",
  ]

  @Test(arguments: SampleOrigin.allCases)
  func a_view_is_set_up_and_a_stream_goes_on_air_and_ends(_ origin: SampleOrigin) async throws {
    let stream = try await open(origin)
    #expect(
      try await stream.run(.viewDidLoad)
        == Self.atOnce + ["updateWebViewURL", "updateOnboardingState(true)"])
    #expect(stream.state.webViewURL?.absoluteString == EmbeddedLivestreamService.playerAddress)
    #expect(try await stream.run(.viewDidLoad) == Self.atOnce + ["updateWebViewURL"])
    try await stream.run(.startStreaming)
    #expect(stream.state.streamingState == .live)
    try await stream.run(.stopStreaming)
    #expect(stream.state.streamingState == .idle)
  }

  @Test func the_server_is_told_the_device() async throws {
    try await open().run(.viewDidLoad)
    let request = await server.server.next("PUT /livestream/device")
    #expect(String(decoding: request.request.body, as: UTF8.self) == #"{"id":"phone 1"}"#)
    #expect(await server.server.end(of: request) == .answered(204))
  }

  @Test(arguments: Trouble.all + [Trouble("HTML", .notJSON, isExpected: Trouble.isUndecodable)])
  func a_player_that_fails_is_several_mutations(_ trouble: Trouble) async throws {
    server.server.fail("GET /livestream/player", with: trouble.fault)
    let stream = try await open()
    #expect(
      try await stream.run(.viewDidLoad) == Self.atOnce + [
        "setError", "updateSetUpInitialStream(false)", "updateNeedToLockOrientation(false)",
        "updateOnboardingState(true)",
      ])
    let error = try #require(stream.state.error)
    #expect(trouble.isExpected(error), "\(error)")
  }

  @Test func a_player_that_cannot_be_loaded_is_an_error() async throws {
    server.server.fail(
      "GET /livestream/player",
      with: .body(Array(#"{"url":"javascript:alert(1)"}"#.utf8), type: "application/json"))
    let stream = try await open()
    try await stream.run(.viewDidLoad)
    #expect(
      stream.state.error
        == .undecodable(reason: "it has no web address of a player"))
  }

  // Its answer has no body that could go wrong.
  @Test(arguments: Trouble.all.filter { $0.isOfTheStatus })
  func the_device_gives_nothing_whatever_goes_wrong(_ trouble: Trouble) async throws {
    server.server.fail("PUT /livestream/device", with: trouble.fault)
    let stream = try await open()
    #expect(
      try await stream.run(.viewDidLoad)
        == Self.atOnce + ["updateWebViewURL", "updateOnboardingState(true)"])
    #expect(stream.state.$error.count == 0)
  }

  @Test(arguments: Trouble.all.filter { !$0.isOfTheBody })
  func a_start_that_is_refused_is_told(_ trouble: Trouble) async throws {
    server.server.fail("POST /livestream/start", with: trouble.fault)
    let stream = try await open()
    #expect(
      try await stream.run(.startStreaming) == [
        "updateStreamingState", "setError", "updateStreamingState",
      ])
    #expect(stream.state.streamingState == .failed)
    #expect(stream.state.error.map(trouble.isExpected) == true)
  }

  @Test func a_stop_closes_the_connection_of_a_start() async throws {
    server.server.fail("POST /livestream/start", with: .held(try AnswerGate()))
    let stream = try await open()
    try await stream.session.send(.startStreaming)
    let request = await server.server.next("POST /livestream/start")
    try await stream.run(.stopStreaming)
    #expect(await server.server.end(of: request) == .closedByClient)
    #expect(stream.state.streamingState == .idle)
  }
}
