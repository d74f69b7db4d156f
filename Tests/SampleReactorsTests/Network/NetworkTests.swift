import Refold
import SampleReactors
import Testing

@Suite("Network", .timeLimit(.minutes(5)))
struct NetworkTests {
  private typealias Network = Recorded<NetworkReactor>

  private static func open(_ gate: CallGate<Void>) async throws -> Network {
    let service = EmbeddedNetworkService(beforeAnswering: { try await gate.pass() })
    return try await Network.open(NetworkReactor(service: service))
  }

  @Test func a_fetch_is_loading_then_the_text_then_no_loading() async throws {
    let network = try await Network.open(NetworkReactor())
    try await network.run(.fetchData)
    #expect(
      try await network.log() == [
        "1 action fetchData", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setData", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(network.state.data == EmbeddedNetworkService.text)
    #expect(!network.state.isLoading)
    #expect(network.state.$error.count == 0)
  }

  @Test func a_failed_fetch_ends_with_the_error_and_no_loading() async throws {
    let gate = CallGate<Void>()
    let network = try await Self.open(gate)
    let receipt = try await network.session.send(.fetchData)
    #expect(network.state.isLoading)
    await gate.next().fail(AppError.network(reason: "refused"))
    #expect(await receipt.finished.word == "completed")
    #expect(
      try await network.log() == [
        "1 action fetchData", "2 mutation(1) setLoading(true)", "3 pending(1)",
        "4 mutation(1) setError", "5 mutation(1) setLoading(false)", "6 completed(1)",
      ])
    #expect(network.state.error == .network(reason: "refused"))
    #expect(!network.state.isLoading)
  }

  @Test func bytes_that_are_no_text_end_the_fetch_with_an_error() async throws {
    let bytes: [UInt8] = [0x48, 0x69, 0xFF, 0xFE]
    let network = try await Network.open(NetworkReactor(service: EmbeddedNetworkService(bytes)))
    #expect(try await network.run(.fetchData).word == "completed")
    #expect(network.state.error == .undecodable(reason: "its 4 bytes are not UTF-8"))
    #expect(network.state.data == nil)
    #expect(!network.state.isLoading)
  }

  @Test func an_equal_error_is_news_again_and_the_text_of_before_stays() async throws {
    let gate = CallGate<Void>()
    let network = try await Self.open(gate)
    let fetch = try await network.session.send(.fetchData)
    await gate.next().answer()
    _ = await fetch.finished
    for count in 1...2 {
      let failing = try await network.session.send(.fetchData)
      await gate.next().fail(AppError.server(status: 500))
      _ = await failing.finished
      #expect(network.state.$error.count == count)
    }
    #expect(network.state.data == EmbeddedNetworkService.text)
  }

  @Test func a_newer_fetch_cancels_the_request_of_the_older_one() async throws {
    let gate = CallGate<Void>()
    let network = try await Self.open(gate)
    let older = try await network.session.send(.fetchData)
    _ = await gate.next()
    let newer = try await network.session.send(.fetchData)
    await gate.cancelled(1)
    #expect(await older.finished.word == "cancelled")
    await gate.next().answer()
    #expect(await newer.finished.word == "completed")
    #expect(try await network.mutations(of: older.seq) == ["setLoading(true)"])
    #expect(
      try await network.mutations(of: newer.seq) == [
        "setLoading(true)", "setData", "setLoading(false)",
      ])
    #expect(!network.state.isLoading)
  }

  @Test func an_answer_that_comes_after_its_fetch_was_cancelled_does_not_land() async throws {
    let gate = CallGate<Void>(heedsCancellation: false)
    let network = try await Self.open(gate)
    let older = try await network.session.send(.fetchData)
    let late = await gate.next()
    let newer = try await network.session.send(.fetchData)
    let call = await gate.next()
    late.answer()
    _ = await older.finished
    #expect(network.state.data == nil)
    call.answer()
    _ = await newer.finished
    #expect(try await network.mutations(of: older.seq) == ["setLoading(true)"])
    #expect(network.state.data != nil)
  }

  @Test func closing_the_session_cancels_the_request() async throws {
    let gate = CallGate<Void>()
    let network = try await Self.open(gate)
    try await network.session.send(.fetchData)
    _ = await gate.next()
    try await network.session.close()
    #expect(gate.cancelled.count == 1)
    let again = try await Network.open(NetworkReactor(), store: network.store)
    try await again.run(.fetchData)
    #expect(again.state.data == EmbeddedNetworkService.text)
    #expect(!again.state.isLoading)
  }
}
