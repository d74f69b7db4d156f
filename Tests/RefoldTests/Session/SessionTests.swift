import EventStoreCore
import Synchronization
import Testing

@testable import Refold

@Suite("A session")
struct SessionTests {
  let store = InMemoryEventStore()

  func open(
    _ reactor: ProbeReactor = ProbeReactor(), options: SessionOptions = SessionOptions()
  ) async throws -> Session<ProbeReactor> {
    try await Session.open(reactor, named: "s", in: store, options: options)
  }

  @Test func logs_the_action_and_its_mutation_in_one_commit() async throws {
    let session = try await open()
    let receipt = try await session.send(.probe("a"))
    #expect(receipt.seq == 1)
    #expect(receipt.version == 2)
    #expect(session.currentState.texts == ["a"])
    #expect(
      try log(of: "s", in: store) == [
        #"1 action 0 {"probe":{"_0":"a"}}"#, #"2 mutation 1 {"text":"a"}"#,
      ])
    #expect(try store.commits(of: session.info.id, after: .zero, limit: 10).count == 1)
  }

  @Test func continues_where_it_was_when_opened_again() async throws {
    let first = try await open()
    try await first.send(.probe("a"))
    try await first.close()
    let second = try await open()
    #expect(second.currentState.texts == ["a"])
    #expect(try await second.send(.probe("b")).seq == 3)
    #expect(second.currentState.texts == ["a", "b"])
  }

  @Test func an_effect_that_goes_on_is_pending_and_then_completed() async throws {
    let gate = Gate()
    let session = try await open(
      ProbeReactor(effects: { _ in
        .concat(
          .text("now"),
          .task {
            await gate.wait()
            return .init(text: "later")
          })
      }))
    let receipt = try await session.send(.probe("a"))
    #expect(receipt.version == 3)
    #expect(try log(of: "s", in: store).map { $0.prefix(11) }.last == "3 pending 1")
    await gate.open()
    guard case .completed = await receipt.finished else {
      Issue.record("the effect did not complete")
      return
    }
    #expect(
      try log(of: "s", in: store).suffix(2) == [
        #"4 mutation 1 {"text":"later"}"#, "5 completed 1 {}",
      ])
  }

  @Test func an_uncaught_error_is_logged_as_failed_and_the_session_lives_on() async throws {
    let issues = Mutex<[String]>([])
    var options = SessionOptions()
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    let session = try await open(
      ProbeReactor(effects: { $0 == "bad" ? .task { throw ProbeError() } : nil }), options: options)
    let receipt = try await session.send(.probe("bad"))
    guard case .failed(let error) = await receipt.finished else {
      Issue.record("the effect did not fail")
      return
    }
    #expect(error is ProbeError)
    #expect(
      try log(of: "s", in: store).last
        == #"3 failed 1 {"error":"ProbeError()","type":"ProbeError"}"#)
    #expect(issues.withLock { $0 } == ["the effect of action 1 failed: ProbeError()"])
    try await session.send(.probe("b"))
    #expect(session.currentState.texts == ["b"])
  }

  @Test func a_second_session_object_folds_what_the_first_one_appended() async throws {
    let first = try await open()
    let second = try await open()
    try await first.send(.probe("a"))
    try await second.send(.probe("b"))
    try await first.send(.probe("c"))
    #expect(first.currentState.texts == ["a", "b", "c"])
    #expect(try log(of: "s", in: store).count == 6)
  }

  @Test func the_same_delivery_is_executed_once_and_acknowledged_twice() async throws {
    let session = try await open()
    let first = try await session.send(.probe("a"), id: "x")
    let again = try await session.send(.probe("a"), id: "x")
    #expect(again.seq == first.seq)
    #expect(again.isRepeated)
    #expect(session.currentState.texts == ["a"])
    await #expect(throws: SessionError.self) { try await session.send(.probe("b"), id: "x") }
    #expect(session.currentState.texts == ["a"])
  }

  @Test func cancelling_in_flight_drops_late_values_and_logs_cancelled() async throws {
    let gate = Gate()
    let session = try await open(
      ProbeReactor(effects: { name in
        Effect.task {
          if name == "old" { await gate.wait() }
          return .init(text: name)
        }.cancellable(id: "search", cancelInFlight: true)
      }))
    let old = try await session.send(.probe("old"))
    let new = try await session.send(.probe("new"))
    guard case .completed = await new.finished, case .cancelled = await old.finished else {
      Issue.record("the old effect was not cancelled")
      return
    }
    await gate.open()
    try await session.close()
    #expect(session.currentState.texts == ["new"])
    #expect(try log(of: "s", in: store).contains("5 cancelled 1 {}"))
  }

  @Test func closing_cancels_running_effects_and_logs_it() async throws {
    let session = try await open(ProbeReactor(effects: { _ in .never }))
    let receipt = try await session.send(.probe("a"))
    try await session.close()
    guard case .cancelled = await receipt.finished else {
      Issue.record("the effect was not cancelled")
      return
    }
    #expect(try log(of: "s", in: store).last == "3 cancelled 1 {}")
    await #expect(throws: SessionError.self) { try await session.send(.probe("b")) }
  }

  @Test func a_relay_merged_into_mutations_is_logged_from_outside_any_action() async throws {
    let relay = BehaviorRelay<String>("r0")
    let reactor = ProbeReactor(outside: relay.effect.map { .init(text: $0) })
    let session = try await open(reactor)
    relay.accept("r1")
    try await session.send(.probe("a"))
    relay.accept("r1")
    try await session.close()
    #expect(session.currentState.texts == ["r0", "r1", "a", "r1"])
    #expect(try log(of: "s", in: store).first == #"1 mutation 0 {"text":"r0"}"#)
  }

  @Test func many_threads_lose_nothing() async throws {
    let session = try await open()
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<8 {
        group.addTask {
          for index in 0..<250 { session.enqueue(.probe("\(task)-\(index)")) }
        }
      }
    }
    try await session.close()
    #expect(session.currentState.texts.count == 2000)
    #expect(Set(session.currentState.texts).count == 2000)
    #expect(
      try TimeMachine(ProbeReactor(), session: "s", in: store).state(at: 4000)
        == session.currentState)
  }

  @Test func two_session_objects_at_once_keep_one_gapless_log() async throws {
    let sessions = [try await open(), try await open()]
    await withTaskGroup(of: Void.self) { group in
      for (number, session) in sessions.enumerated() {
        group.addTask {
          for index in 0..<500 { session.enqueue(.probe("\(number)-\(index)")) }
        }
      }
    }
    for session in sessions { try await session.close() }
    let state = try TimeMachine(ProbeReactor(), session: "s", in: store).state(at: 2000)
    #expect(Set(state.texts).count == 1000)
    for number in 0...1 {
      let own = state.texts.filter { $0.hasPrefix("\(number)-") }
      #expect(own == (0..<500).map { "\(number)-\($0)" })
    }
  }
}
