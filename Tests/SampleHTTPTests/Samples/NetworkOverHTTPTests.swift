import Foundation
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Testing

@Suite("Network over HTTP", .timeLimit(.minutes(5)))
struct NetworkOverHTTPTests {
  private let server: SampleServer

  init() throws { server = try SampleServer.start() }

  private func service(_ origin: SampleOrigin) -> any NetworkService {
    switch origin {
    case .embedded: EmbeddedNetworkService()
    case .http: server.services.network(at: server.url)
    }
  }

  private func open(_ origin: SampleOrigin = .http) async throws -> SampleSession<NetworkReactor> {
    try await .open(NetworkReactor(service: service(origin)))
  }

  @Test(arguments: SampleOrigin.allCases)
  func a_fetch_is_loading_then_the_text_then_no_loading(_ origin: SampleOrigin) async throws {
    let network = try await open(origin)
    #expect(
      try await network.run(.fetchData) == ["setLoading(true)", "setData", "setLoading(false)"])
    #expect(network.state.data == EmbeddedNetworkService.text)
  }

  @Test(arguments: Trouble.all)
  func every_failure_is_told_and_ends_the_loading(_ trouble: Trouble) async throws {
    server.server.fail("GET /data", with: trouble.fault)
    let network = try await open()
    #expect(
      try await network.run(.fetchData) == ["setLoading(true)", "setError", "setLoading(false)"])
    let error = try #require(network.state.error)
    #expect(trouble.isExpected(error), "\(error)")
    // An error page is no data, whatever its body.
    #expect(network.state.data == nil)
    #expect(!network.state.isLoading)
    try await network.run(.fetchData)
    #expect(network.state.data == EmbeddedNetworkService.text)
  }

  @Test func a_server_that_is_not_there_is_told() async throws {
    let url = try await SampleServer.refusing()
    let network = try await SampleSession.open(
      NetworkReactor(service: server.services.network(at: url)))
    #expect(
      try await network.run(.fetchData) == ["setLoading(true)", "setError", "setLoading(false)"])
    guard case .network? = network.state.error else {
      Issue.record("\(String(describing: network.state.error))")
      return
    }
  }

  @Test func an_empty_text_is_a_text() async throws {
    server.server.fail("GET /data", with: .emptyBody)
    let network = try await open()
    try await network.run(.fetchData)
    #expect(network.state.data == "")
  }

  @Test func a_newer_fetch_closes_the_connection_of_the_older_one() async throws {
    server.server.fail("GET /data", with: .held(try AnswerGate()))
    let network = try await open()
    let older = try await network.session.send(.fetchData)
    let request = await server.server.next("GET /data")
    let mutations = try await network.run(.fetchData)
    #expect(mutations == ["setLoading(true)", "setData", "setLoading(false)"])
    #expect(await server.server.end(of: request) == .closedByClient)
    #expect(try network.mutations(of: older) == ["setLoading(true)"])
  }

  @Test func closing_the_session_closes_the_connection() async throws {
    server.server.fail("GET /data", with: .held(try AnswerGate()))
    let network = try await open()
    try await network.session.send(.fetchData)
    let request = await server.server.next("GET /data")
    try await network.session.close()
    #expect(await server.server.end(of: request) == .closedByClient)
  }

  @Test func a_slow_answer_is_waited_for() async throws {
    let gate = try AnswerGate()
    server.server.fail("GET /data", with: .held(gate))
    let network = try await open()
    let receipt = try await network.session.send(.fetchData)
    _ = await server.server.next("GET /data")
    #expect(network.state.isLoading)
    gate.open()
    _ = await receipt.finished
    #expect(network.state.data == EmbeddedNetworkService.text)
  }

  @Test func a_silent_server_is_given_up() async throws {
    server.server.fail("GET /data", with: .held(try AnswerGate()))
    let services = HTTPServices(total: .milliseconds(50))
    let network = try await SampleSession.open(
      NetworkReactor(service: services.network(at: server.url)))
    #expect(
      try await network.run(.fetchData) == ["setLoading(true)", "setError", "setLoading(false)"])
  }
}
