import EventStoreCore
import Synchronization
import Testing

@testable import Refold

/// Pulses, drivers, signals and event streams: lines 22 to 28 of the loop's behaviours.
@Suite("Watching a session")
struct ObservationTests {
  let store = InMemoryEventStore()

  func open() async throws -> Session<PulseReactor> {
    try await Session.open(PulseReactor(), named: "p", in: store)
  }

  @Test func a_pulse_counts_every_assignment_and_wraps() {
    var pulse = Pulse<Int?>(wrappedValue: nil, count: .max - 1)
    pulse.wrappedValue = nil
    #expect(pulse.count == .max)
    pulse.wrappedValue = 1
    #expect(pulse.count == 0)
    #expect(Pulse<Int>(wrappedValue: 1).count == 0)
  }

  @Test func a_pulse_comes_back_exactly_from_the_log() async throws {
    let session = try await open()
    for _ in 0..<3 { try await session.send(.fail("x")) }
    #expect(session.currentState.$error.count == 3)
    let past = try TimeMachine(PulseReactor(), session: "p", in: store).state(at: 4)
    #expect(past.$error.count == 2)
    let codec = EventCodec()
    let bytes = try codec.encode(session.currentState)
    #expect(
      String(decoding: bytes, as: UTF8.self) == #"{"error":{"count":3,"value":"x"},"other":0}"#)
    #expect(try codec.decode(PulseReactor.State.self, from: bytes) == session.currentState)
  }

  @Test func a_pulse_stream_gives_the_present_value_and_then_every_assignment() async throws {
    let session = try await open()
    try await session.send(.fail("first"))
    var replaying = session.pulse(\.$error).makeAsyncIterator()
    var fresh = session.pulse(\.$error, replay: false).makeAsyncIterator()
    try await session.send(.count)
    try await session.send(.fail("first"))
    try await session.send(.twice("second"))
    try await session.close()
    var values: [String?] = []
    while let value = await replaying.next() { values.append(value) }
    #expect(values == ["first", "first", "second"])
    values = []
    while let value = await fresh.next() { values.append(value) }
    #expect(values == ["first", "second"])
  }

  @Test func a_driver_is_distinct_and_replays_and_a_signal_does_not_replay() async throws {
    let session = try await open()
    try await session.send(.count)
    var driver = session.driver(\.other).makeAsyncIterator()
    var signal = session.signal(\.other).makeAsyncIterator()
    #expect(await driver.next() == 1)
    try await session.send(.fail("x"))
    try await session.send(.count)
    #expect(await driver.next() == 2)
    #expect(await signal.next() == 2)
    try await session.close()
    #expect(await driver.next() == nil)
    #expect(await signal.next() == nil)
  }

  @Test func drive_delivers_on_the_actor_of_choice() async throws {
    let session = try await open()
    let collector = Collector()
    let (done, finish) = AsyncStream<Void>.makeStream()
    let observation = session.drive(\.other, on: collector) { collector, value in
      collector.values.append(value)
      if value == 2 { finish.finish() }
    }
    try await session.send(.count)
    try await session.send(.count)
    for await _ in done {}
    observation.cancel()
    #expect(await collector.values.last == 2)
  }

  @Test func a_slow_consumer_skips_states_and_misses_no_event() async throws {
    let session = try await open()
    var states = session.states.makeAsyncIterator()
    var events = session.events().makeAsyncIterator()
    for _ in 0..<5000 { session.enqueue(.count) }
    try await session.send(.count)
    #expect(await states.next()?.other == 5001)
    var seqs: [Seq] = []
    while seqs.count < 10_002, let event = try await events.next() { seqs.append(event.header.seq) }
    #expect(seqs == (1...10_002).map { Seq(UInt32($0)) })
    try await session.close()
    #expect(try await events.next() == nil)
  }

  @Test(.timeLimit(.minutes(5)))
  func a_cancelled_reader_of_events_ends() async throws {
    let session = try await open()
    let reader = Task { for try await _ in session.events() {} }
    try await session.send(.count)
    reader.cancel()
    try await reader.value
    try await session.close()
  }

  @Test func the_current_state_is_never_older_than_what_a_sender_was_told() async throws {
    var reactor = ProbeReactor()
    reactor.transformState = { $0.map { $0 } }
    let session = try await Session.open(reactor, named: "t", in: store)
    await withTaskGroup(of: Bool.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for index in 0..<100 {
            let text = "\(sender)-\(index)"
            guard (try? await session.send(.probe(text))) != nil,
              session.currentState.texts.contains(text)
            else { return false }
          }
          return true
        }
      }
      for await isFresh in group { #expect(isFresh) }
    }
    try await session.close()
  }

  @Test func an_event_stream_waits_for_what_is_to_come() async throws {
    let session = try await open()
    let reader = Task {
      var kinds: [EventKind] = []
      for try await event in session.events(after: 2) { kinds.append(event.header.kind) }
      return kinds
    }
    try await session.send(.count)
    try await session.send(.count)
    try await session.close()
    #expect(try await reader.value == [.action, .mutation])
  }
}

private actor Collector {
  var values: [Int] = []
}

struct PulseReactor: Reactor {
  enum Action: Codable, Sendable {
    case fail(String)
    case twice(String)
    case count
  }

  enum Mutation: Codable, Sendable {
    case setError(String)
    case setErrorTwice(String)
    case count
  }

  struct State: Codable, Equatable, Sendable {
    @Pulse var error: String?
    var other = 0
  }

  static var name: String { "pulse" }
  let initialState = State()

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .fail(let error): .just(.setError(error))
    case .twice(let error): .just(.setErrorTwice(error))
    case .count: .just(.count)
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setError(let error): state.error = error
    case .setErrorTwice(let error):
      state.error = "overwritten"
      state.error = error
    case .count: state.other += 1
    }
  }
}
