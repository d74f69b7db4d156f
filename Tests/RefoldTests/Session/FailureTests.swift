import Dispatch
import EventStoreCore
import EventStoreTesting
import Foundation
import Synchronization
import Testing

@testable import Refold

@Suite("A session whose commit fails")
struct FailureTests {
  /// Every sender hears of it, nothing more is accepted, and what was acknowledged is there.
  @Test(arguments: [true, false])
  func stops_and_can_be_reopened_at_the_last_durable_version(_ happened: Bool) async throws {
    let memory = InMemoryEventStore()
    let store = FaultyEventStore(memory) { call in
      guard call.operation == .transaction, call.number == 4 else { return nil }
      let error = EventStoreError.diskFull(path: "store")
      return happened ? .after(error) : .before(error)
    }
    let seen = Mutex<[[String]]>([])
    let session = try await Session.open(ProbeReactor(), named: "s", in: store)
    let observation = session.observe { state in seen.withLock { $0.append(state.texts) } }
    try await session.send(.probe("a"))
    try await session.send(.probe("b"))
    do {
      try await session.send(.probe("c"))
      Issue.record("the third commit did not fail")
    } catch SessionError.stopped(let name, let reason) {
      #expect(name == "s")
      #expect(reason as? EventStoreError == .diskFull(path: "store"))
    }
    await #expect(throws: SessionError.self) { try await session.send(.probe("d")) }
    await #expect(throws: SessionError.self) { try await session.close() }
    observation.cancel()
    #expect(
      seen.withLock { $0 } == [["a"], ["a", "b"]], "observers saw a state that is not durable")

    let again = try await Session.open(ProbeReactor(), named: "s", in: memory)
    #expect(again.currentState.texts.starts(with: ["a", "b"]))
    #expect(again.currentState.texts.count == (happened ? 3 : 2))
    try await again.send(.probe("e"))
    #expect(again.currentState.texts.last == "e")
  }

  @Test func leaves_its_effects_to_who_opens_it_again() async throws {
    let memory = InMemoryEventStore()
    let store = FaultyEventStore(memory) { call in
      call.operation == .transaction && call.number >= 3
        ? .before(.diskFull(path: "store")) : nil
    }
    let reactor = ProbeReactor(effects: { $0 == "long" ? .never : nil })
    let session = try await Session.open(reactor, named: "s", in: store)
    try await session.send(.probe("long"))
    let early = try await Session.open(reactor, named: "s", in: memory)
    #expect(early.interrupted.isEmpty)
    await #expect(throws: SessionError.self) { try await session.send(.probe("b")) }
    await #expect(throws: SessionError.self) { try await session.close() }
    let again = try await Session.open(reactor, named: "s", in: memory)
    withExtendedLifetime(session) {}
    #expect(again.interrupted.map(\.cause) == [Seq(1)])
    try await early.close()
    try await again.close()
  }

  @Test func cancels_its_running_effects_and_releases_who_waits() async throws {
    let store = FaultyEventStore(InMemoryEventStore()) { call in
      call.operation == .transaction && call.number == 3
        ? .before(.diskFull(path: "store")) : nil
    }
    let session = try await Session.open(
      ProbeReactor(effects: { $0 == "long" ? .never : nil }), named: "s", in: store)
    let receipt = try await session.send(.probe("long"))
    await #expect(throws: SessionError.self) { try await session.send(.probe("b")) }
    guard case .cancelled = await receipt.finished else {
      Issue.record("the effect goes on in a stopped session")
      return
    }
    await session.finishEffects()
  }

  @Test func ends_what_its_transforms_have_running_and_can_be_closed() async throws {
    let store = FaultyEventStore(InMemoryEventStore()) { call in
      call.operation == .transaction && call.number == 2 ? .before(.diskFull(path: "store")) : nil
    }
    let reactor = ProbeReactor(
      outside: .run { _ in try await Task.sleep(for: .seconds(3600)) })
    let session = try await Session.open(reactor, named: "s", in: store)
    await #expect(throws: SessionError.self) { try await session.send(.probe("a")) }
    await #expect(throws: SessionError.self) { try await session.close() }
  }

  @Test(.timeLimit(.minutes(5)))
  func tells_the_sender_whose_action_is_being_decided_meanwhile() async throws {
    let (deciding, failed) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let store = FaultyEventStore(InMemoryEventStore()) { call in
      guard call.operation == .transaction, call.number == 2 else { return nil }
      deciding.wait()
      return .before(.diskFull(path: "store"))
    }
    let reactor = ProbeReactor(effects: { name in
      if name == "second" {
        deciding.signal()
        failed.wait()
      }
      return nil
    })
    let session = try await Session.open(reactor, named: "s", in: store)
    session.submit(.probe("first"), payload: Array(#"{"probe":{"_0":"first"}}"#.utf8)) { _ in
      failed.signal()
    }
    let reply = await withCheckedContinuation { continuation in
      session.submit(.probe("second"), payload: Array(#"{"probe":{"_0":"second"}}"#.utf8)) {
        continuation.resume(returning: $0)
      }
    }
    #expect(throws: SessionError.self) { _ = try reply.get() }
  }

  @Test func a_bad_delivery_id_is_refused_and_harms_nobody() async throws {
    let session = try await Session.open(ProbeReactor(), named: "s", in: InMemoryEventStore())
    for id in ["", String(repeating: "L", count: 70_000)] {
      await #expect(throws: SessionError.self) { try await session.send(.probe("a"), id: id) }
    }
    try await session.send(.probe("b"), id: "b")
    #expect(session.currentState.texts == ["b"])
  }

  @Test func an_effect_that_fails_in_its_first_step_keeps_what_it_gave() async throws {
    let store = InMemoryEventStore()
    let session = try await Session.open(
      ProbeReactor(effects: { name in
        name == "bad" ? .concat(.text("kept"), .fail(ProbeError()), .text("never")) : nil
      }), named: "s", in: store)
    let receipt = try await session.send(.probe("bad"))
    guard case .failed = await receipt.finished else {
      Issue.record("the effect did not fail")
      return
    }
    #expect(session.currentState.texts == ["kept"])
    #expect(
      try log(of: "s", in: store).last
        == #"3 failed 1 {"error":"ProbeError()","type":"ProbeError"}"#)
    try await session.send(.probe("b"))
    #expect(session.currentState.texts == ["kept", "b"])
  }

  enum Place: CaseIterable {
    case action, mutation, state
  }

  @Test(arguments: Place.allCases)
  func an_error_in_a_transform_ends_that_stream_and_nothing_else(_ place: Place) async throws {
    let issues = Mutex<[String]>([])
    var options = SessionOptions()
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    var reactor = ProbeReactor()
    let fail: @Sendable (String) throws -> Void = { if $0 == "bad" { throw ProbeError() } }
    switch place {
    case .action:
      reactor.transformAction = { actions in
        actions.map { action in
          guard case .probe(let name) = action else { return action }
          try fail(name)
          return action
        }
      }
    case .mutation:
      reactor.transformMutation = { mutations in
        mutations.map { mutation in
          try fail(mutation.text)
          return mutation
        }
      }
    case .state:
      reactor.transformState = { states in
        states.map { state in
          try fail(state.texts.last ?? "")
          return state
        }
      }
    }
    let store = InMemoryEventStore()
    let session = try await Session.open(reactor, named: "s", in: store, options: options)
    try await session.send(.probe("a"))
    let observation = session.observe { _ in }
    try await session.send(.probe("bad"))
    observation.cancel()
    try await session.send(.probe("b"))
    #expect(session.currentState.texts.first == "a")
    #expect(session.currentState.texts.last == "b")
    #expect(
      issues.withLock { $0 } == ["transform(\(place):) ended with an error: ProbeError()"])
    let failed = try log(of: "s", in: store).filter { $0.contains("failed") }
    #expect(
      failed.map { $0.dropFirst(2) } == [#"failed 3 {"error":"ProbeError()","type":"ProbeError"}"#])
    try await session.close()
  }

  @Test func a_value_that_json_cannot_write_is_reported_and_neither_logged_nor_reduced()
    async throws
  {
    let issues = Mutex<[String]>([])
    var options = SessionOptions()
    options.onIssue = { issue in issues.withLock { $0.append("\(issue)") } }
    let store = InMemoryEventStore()
    let session = try await Session.open(
      MeasureReactor(), named: "m", in: store, options: options)
    try await session.send(.measure)
    #expect(session.currentState.sum == 0)
    #expect(issues.withLock { $0.count } == 1)
    #expect(try log(of: "m", in: store).count == 1)
  }
}

/// Gives a mutation that is no JSON.
private struct MeasureReactor: Reactor {
  enum Action: Codable, Sendable { case measure }
  struct Mutation: Codable, Sendable { var value: Double }
  struct State: Codable, Sendable { var sum = 0.0 }
  let initialState = State()

  func mutate(action: Action, state: State) -> Effect<Mutation> { .just(Mutation(value: .nan)) }
  func reduce(state: inout State, mutation: Mutation) { state.sum += mutation.value }
}
