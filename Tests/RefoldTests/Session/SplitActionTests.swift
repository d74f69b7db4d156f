import EventStoreCore
import Testing

@testable import Refold

/// `transform(action:)` may make several actions of one: together they have one end.
@Suite("An action that a transform makes several of", .timeLimit(.minutes(5)))
struct SplitActionTests {
  /// The log after one action that becomes one for each of `effects`; `gate` opens once it is on disk.
  private func log(
    of effects: [String: Effect<ProbeReactor.Mutation>], gate: Gate, lockstep: Bool
  ) async throws -> [String] {
    let names = effects.keys.sorted()
    let store = InMemoryEventStore()
    let reactor = ProbeReactor(
      effects: { effects[$0] },
      outside: lockstep ? .never : nil,
      transformAction: { $0.flatMap { _ in .from(names.map { .probe($0) }) } })
    let session = try await Session.open(reactor, named: "s", in: store)
    let receipt = try await session.send(.probe("all"))
    await gate.open()
    _ = await receipt.finished
    try await session.close()
    return try RefoldTests.log(of: "s", in: store).map { line in
      line.split(separator: " ").prefix(3).joined(separator: " ")
    }
  }

  private func later(_ gate: Gate, failing: Bool = false) -> Effect<ProbeReactor.Mutation> {
    .task {
      await gate.wait()
      if failing { throw ProbeError() }
      return ProbeReactor.Mutation(text: "later")
    }
  }

  @Test(arguments: [false, true])
  func ends_once_where_one_fails_at_once_and_another_goes_on(_ lockstep: Bool) async throws {
    let gate = Gate()
    let log = try await log(
      of: ["a": .fail(ProbeError()), "b": later(gate)], gate: gate, lockstep: lockstep)
    #expect(log == ["1 action 0", "2 pending 1", "3 mutation 1", "4 failed 1"])
  }

  @Test(arguments: [false, true])
  func ends_once_where_one_goes_on_and_another_fails_at_once(_ lockstep: Bool) async throws {
    let gate = Gate()
    let log = try await log(
      of: ["a": later(gate), "b": .fail(ProbeError())], gate: gate, lockstep: lockstep)
    #expect(log == ["1 action 0", "2 pending 1", "3 mutation 1", "4 failed 1"])
  }

  @Test(arguments: [false, true])
  func ends_once_where_both_go_on(_ lockstep: Bool) async throws {
    let gate = Gate()
    let log = try await log(
      of: ["a": later(gate, failing: true), "b": later(gate)], gate: gate, lockstep: lockstep)
    #expect(log == ["1 action 0", "2 pending 1", "3 mutation 1", "4 failed 1"])
  }

  @Test(arguments: [false, true])
  func fails_once_where_all_of_them_fail_at_once(_ lockstep: Bool) async throws {
    let log = try await log(
      of: ["a": .fail(ProbeError()), "b": .text("b"), "c": .fail(ProbeError())], gate: Gate(),
      lockstep: lockstep)
    #expect(log == ["1 action 0", "2 mutation 1", "3 failed 1"])
  }

  @Test(arguments: [false, true])
  func has_no_end_where_all_of_them_are_done_at_once(_ lockstep: Bool) async throws {
    let log = try await log(
      of: ["a": .text("a"), "b": .empty], gate: Gate(), lockstep: lockstep)
    #expect(log == ["1 action 0", "2 mutation 1"])
  }
}
