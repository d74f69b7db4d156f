import EventStoreCore
import EventStoreTesting
import RefoldTesting
import Synchronization
import Testing

@testable import Refold

/// Observers that come and go while states pass.
@Suite struct ObserversInFlightTests {
  @Test func a_stream_that_begins_in_flight_sees_each_value_of_a_pulse_once() async throws {
    let problems = Problems()
    let session = try await watch { session, done in
      let seen = Mutex<[Int]>([])
      let observation = session.observe { state in seen.withLock { $0.append(state.count) } }
      let start = session.currentState.count
      while !done.isSet, seen.withLock({ $0.count }) < 5 { await Task.yield() }
      observation.cancel()
      let counts = seen.withLock { $0 }
      if let first = counts.first, counts != Array(first..<first + counts.count) {
        problems.list.withLock { $0.append("\(start): \(counts)") }
      }
    }
    #expect(problems.list.withLock { $0.prefix(5) } == [])
    #expect(session.currentState.count == 4000)
  }

  @Test func a_stream_of_states_repeats_none() async throws {
    let problems = Problems()
    _ = try await watch { session, done in
      var last: Int?
      var seen = 0
      for await state in session.states {
        if let last, state.count <= last {
          problems.list.withLock { $0.append("\(last) then \(state.count)") }
        }
        last = state.count
        seen += 1
        if seen > 3 || done.isSet { break }
      }
    }
    #expect(problems.list.withLock { $0.prefix(5) } == [])
  }

  /// Sends 4,000 actions to a session and closes it, while two watchers do `body` again and again.
  private func watch(
    _ body: @escaping @Sendable (Session<PulsingReactor>, Flag) async -> Void
  ) async throws -> Session<PulsingReactor> {
    let session = try await Session.open(
      PulsingReactor(), named: "s", in: InMemoryEventStore())
    let done = Flag()
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask {
        for number in 1...4000 {
          session.enqueue(.set(number))
          await session.room()
        }
        await session.finishEffects()
        done.set()
        try await session.close()
      }
      for _ in 0..<2 {
        group.addTask { while !done.isSet { await body(session, done) } }
      }
      try await group.waitForAll()
    }
    return session
  }
}

private struct PulsingReactor: Reactor {
  enum Action: Codable, Sendable { case set(Int) }
  enum Mutation: Codable, Sendable { case set(Int) }
  struct State: Codable, Sendable {
    var count = 0
    var number = 0
  }
  let initialState = State()
  static var name: String { "pulsing" }
  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .set(let number): .just(.set(number))
    }
  }
  func reduce(state: inout State, mutation: Mutation) {
    if case .set(let number) = mutation { (state.number, state.count) = (number, state.count + 1) }
  }
}

private final class Flag: Sendable {
  private let flag = Atomic(false)
  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}

private final class Problems: Sendable {
  let list = Mutex<[String]>([])
}
