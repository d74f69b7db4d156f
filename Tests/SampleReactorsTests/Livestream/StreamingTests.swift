import Refold
import SampleReactors
import Testing

@Suite("Livestream: on air", .timeLimit(.minutes(5)))
struct StreamingTests {
  private typealias Livestream = Recorded<LivestreamReactor>
  private typealias Call = EmbeddedLivestreamService.Call

  private static func open(_ gate: CallGate<Call>) async throws -> Livestream {
    try await Livestream.open(
      LivestreamReactor(service: EmbeddedLivestreamService(beforeAnswering: gate.pass)))
  }

  @Test func a_stream_starts_goes_live_stops_and_is_idle() async throws {
    let stream = try await Livestream.open(LivestreamReactor())
    try await stream.run(.startStreaming)
    #expect(stream.state.streamingState == .live)
    try await stream.run(.stopStreaming)
    #expect(
      try await stream.log().filter { $0.contains("mutation") } == [
        "2 mutation(1) updateStreamingState(starting)", "4 mutation(1) updateStreamingState(live)",
        "7 mutation(6) updateStreamingState(stopping)", "9 mutation(6) updateStreamingState(idle)",
      ])
  }

  @Test func what_is_so_already_is_not_asked_for() async throws {
    let stream = try await Livestream.open(LivestreamReactor())
    try await stream.run(.stopStreaming)
    try await stream.run(.startStreaming)
    let again = try await stream.session.send(.startStreaming)
    #expect(try await stream.mutations(of: 1) == [])
    #expect(try await stream.mutations(of: again.seq) == [])
    try await stream.run(.closeOnboarding)
    #expect(stream.state.$streamingState.count == 2)
  }

  @Test func a_start_that_fails_is_two_mutations_and_can_be_tried_again() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let failing = try await stream.session.send(.startStreaming)
    await gate.next().fail(AppError.conflict(code: "ON_AIR"))
    _ = await failing.finished
    #expect(
      try await stream.mutations(of: failing.seq) == [
        "updateStreamingState(starting)", "setError", "updateStreamingState(failed)",
      ])
    let next = try await stream.session.send(.startStreaming)
    await gate.next().answer()
    _ = await next.finished
    #expect(stream.state.streamingState == .live)
  }

  @Test func a_stop_that_fails_leaves_the_stream_on_air() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let start = try await stream.session.send(.startStreaming)
    await gate.next().answer()
    _ = await start.finished
    let stop = try await stream.session.send(.stopStreaming)
    await gate.next().fail(AppError.network(reason: "refused"))
    _ = await stop.finished
    #expect(
      try await stream.mutations(of: stop.seq) == [
        "updateStreamingState(stopping)", "setError", "updateStreamingState(live)",
      ])
  }

  @Test func a_stop_while_it_starts_cancels_the_start() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let start = try await stream.session.send(.startStreaming)
    _ = await gate.next()
    let stop = try await stream.session.send(.stopStreaming)
    #expect(await start.finished.word == "cancelled")
    await gate.cancelled(1)
    let call = await gate.next()
    #expect(call.call == .stopStreaming)
    call.answer()
    _ = await stop.finished
    #expect(stream.state.streamingState == .idle)
  }

  @Test func a_start_that_closing_cut_off_can_be_started_again_or_stopped() async throws {
    for action in [LivestreamReactor.Action.startStreaming, .stopStreaming] {
      let gate = CallGate<Call>()
      let stream = try await Self.open(gate)
      try await stream.session.send(.startStreaming)
      _ = await gate.next()
      try await stream.session.close()
      #expect(stream.state.streamingState == .starting)
      let again = try await Livestream.open(LivestreamReactor(), store: stream.store)
      try await again.run(action)
      #expect(again.state.streamingState == (action == .startStreaming ? .live : .idle))
    }
  }
}
