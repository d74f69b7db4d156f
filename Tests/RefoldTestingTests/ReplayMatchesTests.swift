import EventStoreCore
import Foundation
import Refold
import RefoldTesting
import SampleReactors
import Testing

@Suite("A recorded session", .timeLimit(.minutes(5)))
struct ReplayMatchesTests {
  @Test func that_was_exported_matches_the_code_that_recorded_it() async throws {
    let comparison = try await replayMatches(CounterReactor(), log: "Recorded/counted.log")
    #expect(comparison == ReplayComparison(events: 9, actions: 5))
  }

  @Test func is_compared_with_the_effects_that_took_time_left_alone() async throws {
    let calls = CallCounter()
    let reactor = LoadingReactor(fetch: {
      calls.increment()
      return "Mina"
    })
    let store = try await record(reactor) { session in
      _ = try await session.send(.load).finished
      try await session.send(.rename(to: "A"))
      try await session.send(.rename(to: ""))
      try await session.send(.stop)
    }
    let comparison = try await replayMatches(reactor, session: "s", in: store)
    #expect(
      comparison == ReplayComparison(events: 11, actions: 3, actionsWithEffects: 1, snapshots: 1))
    #expect(calls.count == 1, "the replay ran an effect")
  }

  @Test func through_transforms_matches_as_well() async throws {
    let names = BehaviorRelay("Mina")
    let reactor = LoadingReactor(outside: names.effect.map { .setUser($0) })
    let store = try await record(reactor) { session in
      try await session.send(.rename(to: "A"))
      names.accept("Noa")
      try await session.send(.alert("B"))
      try await session.send(.alert("B"))
    }
    let comparison = try await replayMatches(reactor, session: "s", in: store)
    #expect(comparison == ReplayComparison(events: 8, actions: 3, snapshots: 1))
  }

  @Test func names_the_first_mutation_that_todays_code_gives_otherwise() async throws {
    let issues = try await differences(of: VariantReactor(answer: { [.add($0 + 1)] }))
    #expect(
      issues == [
        """
        Session s differs at event 2: today's mutate gives another mutation for action 1, \
        {"add":{"_0":5}} (- recorded, + today).

          /add/_0
          - 5
          + 6

        If that is meant, record the session anew; else today's code is at fault.
        """
      ])
  }

  @Test func names_the_mutation_that_todays_code_no_longer_gives() async throws {
    let issues = try await differences(of: VariantReactor(answer: { _ in [] }))
    #expect(
      issues == [
        """
        Session s differs at event 2: today's mutate no longer gives this mutation of action 1, \
        {"add":{"_0":5}}.

          - {"add":{"_0":5}}

        If that is meant, record the session anew; else today's code is at fault.
        """
      ])
  }

  @Test func names_the_action_for_which_todays_code_gives_more() async throws {
    let issues = try await differences(of: VariantReactor(answer: { [.add($0), .add(0)] }))
    try #require(issues.count == 1)
    #expect(issues[0].hasPrefix("Session s differs at event 1: today's mutate gives more"))
    #expect(issues[0].contains(#"  + {"add":{"_0":0}}"#))
  }

  @Test func names_the_action_whose_effect_fails_or_takes_time_today() async throws {
    let calls = CallCounter()
    let slow = VariantReactor(effect: { amount in
      .task {
        calls.increment()
        return .add(amount)
      }
    })
    let failing = VariantReactor(effect: { .concat(.just(.add($0)), .fail(ProfileError.offline)) })
    #expect(
      try await differences(of: slow).first?.hasPrefix(
        #"Session s differs at event 1: the effect of this action, {"add":{"_0":5}}, gave"#)
        == true)
    #expect(
      try await differences(of: failing).first?.contains(
        "event 1: today the effect of this action") == true)
    #expect(calls.count == 0, "the replay ran an effect")
  }

  @Test func names_the_failure_that_does_not_happen_today() async throws {
    let store = try await record(VariantReactor(effect: { _ in .fail(ProfileError.offline) })) {
      try await $0.send(.add(1))
    }
    let issues = try await recordedIssues {
      try await replayMatches(VariantReactor(answer: { _ in [] }), session: "s", in: store)
    }
    #expect(issues.first?.message.contains("event 2: the effect of action 1") == true)
    #expect(issues.first?.message.contains("there is no connection") == true)
  }

  @Test func is_held_to_the_snapshots_that_were_recorded() async throws {
    let store = try await record(VariantReactor()) {
      try await $0.send(.add(5))
      try await $0.send(.add(6))
    }
    let info = try #require(try store.session(named: SessionName("s")))
    func save(_ seq: Seq, _ state: String, digest: Digest? = nil) throws {
      let digest = try digest ?? store.digest(of: info.id, at: seq)
      try store.save(
        Snapshot(seq: seq, foldID: "old", logDigest: digest, state: Array(state.utf8)),
        of: info.id)
    }
    try save(0, #"{"sum":0}"#)
    try save(2, #"{"sum":5}"#)
    #expect(
      try await replayMatches(VariantReactor(), session: "s", in: store)
        == ReplayComparison(events: 4, actions: 2, snapshots: 3))
    try save(3, #"{"sum":-1}"#, digest: store.digest(of: info.id, at: 1))
    #expect(try await replayMatches(VariantReactor(), session: "s", in: store).snapshots == 3)

    let issues = try await recordedIssues {
      try await replayMatches(VariantReactor(factor: 10), session: "s", in: store)
    }
    #expect(
      issues.map(\.message) == [
        """
        Session s differs at event 2: today's reduce gives another state than the snapshot \
        recorded there has (- recorded, + today).

          /sum
          - 5
          + 50

        If that is meant, record the session anew; else today's code is at fault.
        """
      ])
  }

  @Test func names_the_event_that_todays_types_cannot_read() async throws {
    let store = InMemoryEventStore()
    let info = try store.transaction {
      try $0.createSession(
        named: SessionName("s"), reactor: "variant", at: Timestamp(microseconds: 0))
    }
    var batch = EventBatch()
    let header = EventHeader(
      seq: 1, kind: .mutation, cause: .zero, recordedAt: Timestamp(microseconds: 0))
    batch.append(header, payload: Array(#"{"subtract":{"_0":5}}"#.utf8))
    try store.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    let issues = try await recordedIssues {
      try await replayMatches(VariantReactor(), session: "s", in: store)
    }
    #expect(issues.first?.message.contains("event 1: this mutation cannot be read as") == true)
    #expect(issues.first?.message.contains("subtract") == true)
  }

  @Test func of_another_reactor_or_in_no_whole_file_is_an_error() async throws {
    await #expect(throws: SessionError.self) {
      try await replayMatches(LoadingReactor(), log: "Recorded/counted.log")
    }
    await #expect(throws: (any Error).self) {
      try await replayMatches(CounterReactor(), log: "Recorded/missing.log")
    }
    let file = NSTemporaryDirectory() + "refold-\(UUID().uuidString).log"
    defer { try? FileManager.default.removeItem(atPath: file) }
    let recorded = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Recorded/counted.log")
    let text = try String(contentsOf: recorded, encoding: .utf8)
    for (altered, reason) in [
      (text.replacingOccurrences(of: "40", with: "41"), "the digest does not match"),
      (text.split(separator: "\n").dropLast().joined(separator: "\n"), "cut off"), ("", "empty"),
    ] {
      try Data(altered.utf8).write(to: URL(fileURLWithPath: file))
      do {
        try await replayMatches(CounterReactor(), log: file)
        Issue.record("\(reason) was not noticed")
      } catch {
        #expect("\(error)".contains(reason))
      }
    }
  }

  /// The differences of `today` from a session in which 5 was added.
  private func differences(of today: VariantReactor) async throws -> [String] {
    let store = try await record(VariantReactor()) { try await $0.send(.add(5)) }
    return try await recordedIssues {
      try await replayMatches(today, session: "s", in: store)
    }.map(\.message)
  }

  private func record<R: Reactor>(
    _ reactor: R, _ body: (Session<R>) async throws -> Void
  ) async throws -> InMemoryEventStore {
    let store = InMemoryEventStore()
    let session = try await Session.open(reactor, named: "s", in: store)
    try await body(session)
    try await session.close()
    return store
  }
}

/// A sum, by code that a test varies.
private struct VariantReactor: Reactor {
  enum Action: Codable, Sendable { case add(Int) }
  enum Mutation: Codable, Sendable { case add(Int) }
  struct State: Codable, Sendable { var sum = 0 }

  static var name: String { "variant" }
  let initialState = State()
  var factor = 1
  var answer: @Sendable (Int) -> [Mutation] = { [.add($0)] }
  var effect: (@Sendable (Int) -> Effect<Mutation>)?

  func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .add(let amount): effect?(amount) ?? .from(answer(amount))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let amount): state.sum += amount * factor
    }
  }
}
