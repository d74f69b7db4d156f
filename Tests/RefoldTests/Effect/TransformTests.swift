import EventStoreCore
import RefoldTesting
import Testing

@testable import Refold

/// Operators in a reactor's transforms.
@Suite("Operators in transforms")
struct TransformTests {
  let store = InMemoryEventStore()

  @Test func a_transform_may_use_its_stream_more_than_once() async throws {
    var reactor = ProbeReactor()
    reactor.transformAction = { action in
      .merge(
        action.filter { $0 == .probe("a") }, action.filter { $0 != .probe("a") },
        action.flatMap { action in
          action == .probe("a") ? .just(.probe("again")) : .empty
        })
    }
    let session = try await Session.open(reactor, named: "s", in: store)
    try await session.send(.probe("a"))
    try await session.send(.probe("b"))
    #expect(session.currentState.texts == ["a", "again", "b"])
  }

  @Test func a_debounced_action_is_logged_at_once_and_mutates_under_its_own_cause() async throws {
    let clock = TestClock()
    var reactor = ProbeReactor()
    reactor.transformAction = { $0.debounce(.seconds(1), clock: clock) }
    let session = try await Session.open(reactor, named: "s", in: store)
    try await session.send(.probe("a"))
    try await session.send(.probe("b"))
    await clock.advance(by: .seconds(1), settling: session)
    #expect(
      try log(of: "s", in: store) == [
        #"1 action 0 {"probe":{"_0":"a"}}"#, #"2 action 0 {"probe":{"_0":"b"}}"#,
        #"3 mutation 2 {"text":"b"}"#,
      ])
    try await session.close()
  }

  @Test func what_flat_map_makes_of_an_action_has_its_cause() async throws {
    let clock = TestClock()
    var reactor = ProbeReactor()
    reactor.transformAction = { action in
      action.flatMap { action in
        .merge(.just(action), Effect.just(action).delay(.seconds(1), clock: clock))
      }
    }
    let session = try await Session.open(reactor, named: "s", in: store)
    try await session.send(.probe("a"))
    await clock.advance(by: .seconds(1), settling: session)
    #expect(
      try log(of: "s", in: store).dropFirst() == [
        #"2 mutation 1 {"text":"a"}"#, #"3 mutation 1 {"text":"a"}"#,
      ])
    try await session.close()
  }

  /// Counts what passes, with an operator that remembers.
  struct Remembering: Reactor {
    enum Action: Codable, Sendable {
      case add(Int)
    }
    enum Mutation: Codable, Sendable, Equatable {
      case add(Int)
    }
    struct State: Codable, Sendable {
      var values: [Int] = []
    }
    var isDistinct = true
    static var name: String { "remembering" }
    let initialState = State()

    func mutate(action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .add(let value): .just(.add(value))
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .add(let value): state.values.append(value)
      }
    }

    func transform(mutation: Effect<Mutation>) -> Effect<Mutation> {
      isDistinct ? mutation.distinctUntilChanged() : mutation
    }
  }

  @Test func a_step_that_is_decided_twice_passes_transform_mutation_once() async throws {
    let session = try await Session.open(Remembering(), named: "s", in: store)
    let other = try await Session.open(Remembering(isDistinct: false), named: "s", in: store)
    try await other.send(.add(1))
    try await session.send(.add(2))
    #expect(session.currentState.values == [1, 2])
  }
}
