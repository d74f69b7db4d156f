import EventStoreCore
import Foundation
import Synchronization
import Testing

@testable import Refold

/// Order and state: lines 1 to 8 of the loop's behaviours.
@Suite("The order of a session")
struct OrderTests {
  typealias Session = Refold.Session<ProbeReactor>
  let store = InMemoryEventStore()

  func open(
    _ reactor: ProbeReactor = ProbeReactor(), options: SessionOptions = SessionOptions()
  ) async throws -> Session {
    try await Session.open(reactor, named: "s", in: store, options: options)
  }

  @Test func each_transform_stands_where_its_name_says() async throws {
    var reactor = ProbeReactor(outside: .empty)
    reactor.transformAction = { actions in
      actions.map { action in
        guard case .probe(let name) = action else { return action }
        return .probe("action(\(name))")
      }
    }
    reactor.transformMutation = { $0.map { .init(text: "mutation(\($0.text))") } }
    reactor.transformState = { $0.map { .init(texts: ["state"] + $0.texts) } }
    let session = try await open(reactor)
    #expect(session.currentState.texts == ["state"], "the initial state passes transform(state:)")
    try await session.send(.probe("a"))
    #expect(session.currentState.texts == ["state", "mutation(action(a))"])
    #expect(
      try log(of: "s", in: store) == [
        #"1 action 0 {"probe":{"_0":"a"}}"#, #"2 mutation 1 {"text":"mutation(action(a))"}"#,
      ], "the log has the action as it was sent, and no state")
    let past = try TimeMachine(reactor, session: "s", in: store).state(at: 2)
    #expect(past.texts == ["mutation(action(a))"])
  }

  @Test func an_action_that_the_transform_drops_is_logged_without_mutations() async throws {
    var reactor = ProbeReactor()
    reactor.transformAction = { $0.filter { $0 != .probe("drop") } }
    let session = try await open(reactor)
    #expect(try await session.send(.probe("drop")).version == 1)
    try await session.send(.probe("keep"))
    #expect(session.currentState.texts == ["keep"])
    #expect(try log(of: "s", in: store).count == 3)
  }

  @Test func an_action_that_the_transform_doubles_is_logged_once() async throws {
    var reactor = ProbeReactor()
    reactor.transformAction = { .merge($0, $0.map { _ in .probe("more") }) }
    let session = try await open(reactor)
    _ = try await session.send(.probe("a"))
    #expect(session.currentState.texts == ["a", "more"])
    #expect(try log(of: "s", in: store).filter { $0.contains("action") }.count == 1)
  }

  @Test func an_action_that_a_transform_made_of_nothing_may_take_time_and_fail() async throws {
    let relay = BehaviorRelay("none")
    var reactor = ProbeReactor(effects: { name in
      switch name {
      case "slow": .task { .init(text: "slow") }
      case "bad": .fail(ProbeError())
      default: .empty
      }
    })
    reactor.transformAction = { .merge($0, relay.effect.map { .probe($0) }) }
    let session = try await open(reactor)
    relay.accept("slow")
    relay.accept("bad")
    await session.finishEffects()
    try await session.send(.probe("x"))
    #expect(session.currentState.texts == ["slow"])
    #expect(try log(of: "s", in: store).first == #"1 mutation 0 {"text":"slow"}"#)
    try await session.close()
  }

  @Test func a_late_observer_gets_the_latest_state_and_then_every_change() async throws {
    let session = try await open()
    try await session.send(.probe("a"))
    try await session.send(.probe("b"))
    let seen = Mutex<[[String]]>([])
    var states = session.states.makeAsyncIterator()
    #expect(await states.next()?.texts == ["a", "b"])
    let observation = session.observe { state in seen.withLock { $0.append(state.texts) } }
    try await session.send(.probe("c"))
    try await session.send(.probe("d"))
    observation.cancel()
    try await session.send(.probe("e"))
    #expect(seen.withLock { $0 } == [["a", "b", "c"], ["a", "b", "c", "d"]])
  }

  @Test func inside_reduce_the_state_is_the_previous_one_and_inside_an_observer_the_new()
    async throws
  {
    let seen = Mutex<[String]>([])
    let current = Mutex<(@Sendable () -> [String])?>(nil)
    var reactor = ProbeReactor()
    reactor.onReduce = { mutation in
      guard let texts = current.withLock({ $0 })?() else { return }
      // Once for the state that is decided on, and once for the durable one.
      let line = "reduce \(mutation.text): \(texts)"
      seen.withLock { if $0.last != line { $0.append(line) } }
    }
    let session = try await open(reactor)
    current.withLock { $0 = { session.currentState.texts } }
    let observation = session.observe { state in
      let isNew = session.currentState == state
      seen.withLock { $0.append("observer \(state.texts): \(isNew)") }
    }
    try await session.send(.probe("a"))
    try await session.send(.probe("b"))
    observation.cancel()
    #expect(
      seen.withLock { $0 } == [
        "reduce a: []", #"observer ["a"]: true"#, #"reduce b: ["a"]"#,
        #"observer ["a", "b"]: true"#,
      ])
    current.withLock { $0 = nil }
  }

  @Test func what_an_observer_sends_has_the_action_that_led_there_as_its_cause() async throws {
    let session = try await open()
    let observation = session.observe { state in
      if state.texts.last == "a" { session.enqueue(.probe("b")) }
    }
    try await session.send(.probe("x"))
    try await session.send(.probe("a"))
    await session.finishEffects()
    observation.cancel()
    #expect(try log(of: "s", in: store)[4] == #"5 action 3 {"probe":{"_0":"b"}}"#)
  }

  @Test func what_an_effect_sends_has_its_action_as_its_cause() async throws {
    let sender = Mutex<Session?>(nil)
    let session = try await open(
      ProbeReactor(effects: { name in
        guard name == "a" else { return nil }
        return .run { _ in
          let session = sender.withLock { $0 }
          try await session?.send(.probe("b"))
        }
      }))
    sender.withLock { $0 = session }
    try await session.send(.probe("x"))
    _ = await (try await session.send(.probe("a"))).finished
    #expect(try log(of: "s", in: store)[4] == #"5 action 3 {"probe":{"_0":"b"}}"#)
    sender.withLock { $0 = nil }
  }

  @Test func a_chain_of_100_000_sends_from_an_observer_does_not_overflow() async throws {
    let session = try await open(CountingStore.reactor)
    let (done, finish) = AsyncStream<Void>.makeStream()
    let count = Mutex(0)
    let observation = session.observe { _ in
      let next = count.withLock { count in
        count += 1
        return count
      }
      if next < 100_000 { session.enqueue(.probe("x")) } else { finish.finish() }
    }
    session.enqueue(.probe("x"))
    for await _ in done {}
    observation.cancel()
    #expect(count.withLock { $0 } >= 100_000)
  }

  @Test func a_send_from_inside_mutate_is_taken_up_after_its_step() async throws {
    let sender = Mutex<Session?>(nil)
    let session = try await open(
      ProbeReactor(effects: { name in
        guard name == "outer" else { return nil }
        sender.withLock { $0 }?.enqueue(.probe("inner"))
        return .of(.init(text: "outer 1"), .init(text: "outer 2"))
      }))
    sender.withLock { $0 = session }
    try await session.send(.probe("outer"))
    await session.finishEffects()
    #expect(session.currentState.texts == ["outer 1", "outer 2", "inner"])
    sender.withLock { $0 = nil }
  }

  @Test func effects_start_only_when_their_action_is_durable() async throws {
    let durable = Mutex(Seq.zero)
    let started = Mutex<[Bool]>([])
    var options = SessionOptions()
    options.onCommit = { commit, _ in durable.withLock { $0 = commit.lastSeq } }
    let session = try await open(
      ProbeReactor(effects: { name in
        .task {
          let isDurable = durable.withLock { $0 } >= 2
          started.withLock { $0.append(isDurable) }
          return .init(text: name)
        }
      }), options: options)
    _ = await (try await session.send(.probe("a"))).finished
    #expect(started.withLock { $0 } == [true])
  }
}

/// A reactor whose state stays small whatever happens.
private enum CountingStore {
  static let reactor = ProbeReactor(keepsTexts: false)
}
