import EventStoreCore
import EventStoreTesting
import Testing

@testable import Refold

// Actions that cancel the effects of others by id.
extension WhatIfTests {
  /// Loads replace one another, and an addition of nothing cancels them.
  private func cancelling(_ gate: Gate) -> TrialReactor {
    TrialReactor(decide: { action, _ in
      switch action {
      case .load(let text):
        return .task {
          await gate.wait()
          return .loaded(text)
        }.cancellable(id: "load", cancelInFlight: true)
      case .add(0): return .cancel(id: "load")
      default: return nil
      }
    })
  }

  @Test(arguments: [#"{"add":{"_0":0}}"#, #"{"load":{"_0":"b"}}"#], [0, 2] as [Seq])
  func an_effect_that_an_action_cancels_now_gives_nothing_more(
    _ line: String, at cut: Seq
  ) async throws {
    let gate = Gate()
    let reactor = cancelling(gate)
    let info = try await store.record(reactor) { session in
      let load = try await session.send(.load("a"))
      try await session.send(.add(1))
      await gate.open()
      _ = await load.finished
      try await session.send(.add(2))
    }
    let outcome = try outcome(
      of: info, at: cut, [3: .replace(Array(line.utf8))], by: reactor)
    #expect(outcome.differences.last == "1 1 effectCancelled 3, was completed")
    #expect(outcome.result.state == TrialReactor.State(sum: 2))
    #expect(outcome.log.filter { $0.contains("cancelled 1") }.count == 1)
    #expect(outcome.log.contains { $0.hasSuffix("cancelled 1 {}") })
    #expect(!outcome.log.contains { $0.contains("completed") })
  }

  @Test func a_cancellation_that_was_recorded_is_no_difference_unless_its_action_goes() async throws
  {
    let gate = Gate()
    let reactor = cancelling(gate)
    let info = try await store.record(reactor) { session in
      let load = try await session.send(.load("a"))
      try await session.send(.add(0))
      await gate.open()
      _ = await load.finished
      try await session.send(.add(2))
    }
    let digest = try store.tail(of: info.id).digest
    for cut in [0, 2] as [Seq] {
      let same = try outcome(of: info, at: cut, by: reactor)
      #expect(same.differences.isEmpty)
      #expect(try store.tail(of: same.result.session.id).digest == digest)
      // Another action that cancels the same is none either.
      let other = try outcome(
        of: info, at: cut, [3: .replace(Array(#"{"add":{"_0":0}}"#.utf8))], by: reactor)
      #expect(other.differences.isEmpty)
      #expect(try store.tail(of: other.result.session.id).digest == digest)
      let without = try outcome(of: info, at: cut, [3: .skip], by: reactor)
      #expect(without.differences == ["1 1 cancellerGone 3"])
      #expect(without.log[2] == "3 cancelled 1 {}")
      let adding = try outcome(
        of: info, at: cut, [3: .replace(Array(#"{"add":{"_0":5}}"#.utf8))], by: reactor)
      #expect(adding.differences.last == "1 1 cancellerGone 3")
    }
  }
}
