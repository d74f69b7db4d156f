import EventStoreCore
import Foundation
import Refold
import SampleReactors
import Testing

@Suite("Livestream", .timeLimit(.minutes(5)))
struct LivestreamTests {
  private typealias Livestream = Recorded<LivestreamReactor>
  private typealias Call = EmbeddedLivestreamService.Call

  private static func open(
    _ gate: CallGate<Call>? = nil, wasOnboardingShown: Bool? = nil,
    store: InMemoryEventStore = InMemoryEventStore()
  ) async throws -> Livestream {
    let service =
      gate.map { EmbeddedLivestreamService(beforeAnswering: $0.pass) }
      ?? EmbeddedLivestreamService()
    let reactor = LivestreamReactor(
      service: service, deviceID: "phone", wasOnboardingShown: wasOnboardingShown)
    return try await Livestream.open(reactor, store: store)
  }

  /// What sets up the screen before anything is asked of the server.
  private static let atOnce = [
    "updateNeedToLockOrientation(true)", "updateAudioLevelMeterState(visible)",
    "updateSetUpInitialStream(true)", "setCamera(front)",
  ]

  // Seven steps, of which the last gives nothing.

  @Test func a_view_is_set_up_in_seven_steps_where_the_onboarding_was_not_shown() async throws {
    let stream = try await Self.open()
    try await stream.run(.viewDidLoad)
    #expect(
      try await stream.log() == [
        "1 action viewDidLoad", "2 mutation(1) updateNeedToLockOrientation(true)",
        "3 mutation(1) updateAudioLevelMeterState(visible)",
        "4 mutation(1) updateSetUpInitialStream(true)", "5 mutation(1) setCamera(front)",
        "6 pending(1)", "7 mutation(1) updateWebViewURL",
        "8 mutation(1) updateOnboardingState(true)", "9 completed(1)",
      ])
    #expect(stream.state.webViewURL?.absoluteString == EmbeddedLivestreamService.playerAddress)
    #expect(stream.state.needToLockOrientation)
    #expect(stream.state.onboardingState)
  }

  @Test func a_second_view_has_six_steps_as_the_onboarding_was_shown_by_then() async throws {
    let stream = try await Self.open()
    try await stream.run(.viewDidLoad)
    try await stream.run(.closeOnboarding)
    let second = try await stream.session.send(.viewDidLoad)
    _ = await second.finished
    #expect(try await stream.mutations(of: second.seq) == Self.atOnce + ["updateWebViewURL"])
    #expect(!stream.state.onboardingState)
  }

  @Test func that_the_onboarding_was_shown_comes_back_from_the_log() async throws {
    let stream = try await Self.open()
    try await stream.run(.viewDidLoad)
    try await stream.session.close()
    let again = try await Self.open(store: stream.store)
    let receipt = try await again.session.send(.viewDidLoad)
    _ = await receipt.finished
    #expect(try await again.mutations(of: receipt.seq) == Self.atOnce + ["updateWebViewURL"])
  }

  @Test func what_the_app_remembers_of_the_onboarding_is_logged_where_it_is_news() async throws {
    let stream = try await Self.open(wasOnboardingShown: true)
    try await stream.run(.viewDidLoad)
    #expect(try await stream.log().first == "1 mutation(0) updateOnboardingShown(true)")
    #expect(try await stream.mutations(of: 2) == Self.atOnce + ["updateWebViewURL"])
    #expect(!stream.state.onboardingState)
    let count = try stream.events().count
    try await stream.session.close()
    let again = try await Self.open(wasOnboardingShown: true, store: stream.store)
    #expect(try await again.log().count == count)
    // And whoever replays the log without the setting finds the same state.
    let past = try TimeMachine(LivestreamReactor(), session: "s", in: stream.store)
    #expect(try past.state(at: try past.lastSeq) == again.state)
  }

  @Test func an_onboarding_that_is_to_be_new_is_shown_again_whatever_the_log_says() async throws {
    let stream = try await Self.open(wasOnboardingShown: false)
    #expect(try await stream.log() == [], "it is no news to a new session")
    try await stream.run(.viewDidLoad)
    try await stream.run(.closeOnboarding)
    let count = try stream.events().count
    try await stream.session.close()
    let again = try await Self.open(wasOnboardingShown: false, store: stream.store)
    #expect(
      try await again.log(from: count + 1)
        == ["\(count + 1) mutation(0) updateOnboardingShown(false)"])
    try await again.run(.viewDidLoad)
    #expect(again.state.onboardingState && again.state.wasOnboardingShown)
  }

  @Test func the_steps_are_taken_one_after_the_other() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let receipt = try await stream.session.send(.viewDidLoad)
    let player = await gate.next()
    #expect(player.call == .webViewPlayerURL)
    #expect(!stream.state.onboardingState)
    player.answer()
    let device = await gate.next()
    #expect(device.call == .updateCurrentDeviceID("phone"))
    // The device has not answered yet.
    for await state in stream.session.states where state.onboardingState { break }
    device.answer()
    _ = await receipt.finished
    #expect(gate.count == 2)
  }

  @Test func the_device_gives_nothing_also_when_it_fails() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let receipt = try await stream.session.send(.viewDidLoad)
    await gate.next().answer()
    await gate.next().fail(AppError.server(status: 500))
    #expect(await receipt.finished.word == "completed")
    #expect(
      try await stream.mutations(of: receipt.seq)
        == Self.atOnce + ["updateWebViewURL", "updateOnboardingState(true)"])
    #expect(stream.state.$error.count == 0)
  }

  @Test func a_player_that_fails_is_several_mutations_and_the_later_steps_follow() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let receipt = try await stream.session.send(.viewDidLoad)
    await gate.next().fail(AppError.notFound(what: "the player"))
    let device = await gate.next()
    #expect(device.call == .updateCurrentDeviceID("phone"))
    device.answer()
    #expect(await receipt.finished.word == "completed")
    #expect(
      try await stream.mutations(of: receipt.seq) == Self.atOnce + [
        "setError", "updateSetUpInitialStream(false)", "updateNeedToLockOrientation(false)",
        "updateOnboardingState(true)",
      ])
    #expect(stream.state.error == .notFound(what: "the player"))
    #expect(stream.state.webViewURL == nil)
  }

  @Test func pulses_count_each_time() async throws {
    let stream = try await Self.open()
    for count in 1...2 {
      try await stream.run(.viewDidLoad)
      #expect(stream.state.$setUpInitialStream.count == count)
      #expect(stream.state.$webViewURL.count == count)
    }
    try await stream.run(.startStreaming)
    #expect(stream.state.$streamingState.count == 2)
  }

  @Test func a_second_view_cancels_the_first() async throws {
    let gate = CallGate<Call>()
    let stream = try await Self.open(gate)
    let first = try await stream.session.send(.viewDidLoad)
    _ = await gate.next()
    let second = try await stream.session.send(.viewDidLoad)
    #expect(await first.finished.word == "cancelled")
    await gate.cancelled(1)
    for _ in 1...2 { await gate.next().answer() }
    _ = await second.finished
    #expect(try await stream.mutations(of: first.seq) == Self.atOnce)
    #expect(stream.state.$webViewURL.count == 1)
  }

  @Test func the_camera_that_was_chosen_is_set_again_by_the_next_view() async throws {
    let stream = try await Self.open()
    try await stream.run(.switchCamera)
    let receipt = try await stream.session.send(.viewDidLoad)
    _ = await receipt.finished
    #expect(try await stream.mutations(of: receipt.seq).contains("setCamera(back)"))
    try await stream.run(.switchCamera)
    #expect(stream.state.camera == .front)
  }

  @Test func a_state_comes_back_from_its_JSON() async throws {
    let stream = try await Self.open()
    try await stream.run(.viewDidLoad)
    try await stream.run(.startStreaming)
    let bytes = try EventCodec().encode(stream.state)
    #expect(try EventCodec().decode(LivestreamReactor.State.self, from: bytes) == stream.state)
  }
}
