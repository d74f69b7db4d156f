import EventStoreCore
import Testing

@testable import Refold

@Suite("Forking", .timeLimit(.minutes(5)))
struct ForkingTests {
  let store = InMemoryEventStore()

  @Test func logs_what_the_cut_leaves_open_as_cancelled() async throws {
    let gate = Gate()
    let reactor = TrialReactor(load: { text in
      .task {
        await gate.wait()
        return .loaded(text)
      }
    })
    let info = try await store.record(reactor) { session in
      let load = try await session.send(.load("a"))
      try await session.send(.add(1))
      await gate.open()
      _ = await load.finished
    }
    let original = try log(of: "s", in: store)
    let fork = try Forking.fork(
      info, at: 4, named: nil, in: store, created: Timestamp(microseconds: 0))
    #expect(fork.cancelled == [Seq(1)])
    let lines = try log(of: "s-fork-1", in: store)
    #expect(lines == original.prefix(4) + ["5 cancelled 1 {}"])
    #expect(try store.openEffects(of: fork.info.id).isEmpty)
    let session = try await Session.open(reactor, named: "s-fork-1", in: store)
    #expect(session.interrupted.isEmpty)
    try await session.send(.add(5))
    #expect(session.currentState.sum == 5)
    try await session.close()
    #expect(try log(of: "s", in: store) == original)
    // Where nothing is open, nothing is added: the digest is that of the past.
    let whole = try Forking.fork(info, at: 8, named: SessionName("whole"), in: store)
    #expect(try store.tail(of: whole.info.id).digest == store.tail(of: info.id).digest)
  }

  @Test func of_a_fork_shares_the_past_of_both() async throws {
    let info = try await store.record { session in
      for amount in 1...3 { try await session.send(.add(amount)) }
    }
    let first = try Forking.fork(info, at: 4, named: SessionName("first"), in: store)
    let session = try await Session.open(TrialReactor(), named: "first", in: store)
    try await session.send(.add(10))
    try await session.close()
    let second = try Forking.fork(first.info, at: 6, named: SessionName("second"), in: store)
    let third = try Forking.fork(second.info, at: 2, named: SessionName("third"), in: store)
    let sums = try [second.info, third.info].map {
      try TimeMachine(TrialReactor(), $0, in: store).fold(through: store.tail(of: $0.id).version)
        .state.sum
    }
    #expect(sums == [13, 1])
  }

  @Test func beyond_the_end_or_under_a_taken_name_changes_nothing() async throws {
    let info = try await store.record { try await $0.send(.add(1)) }
    #expect(throws: EventStoreError.sessionExists(info.name)) {
      try Forking.fork(info, at: 1, named: info.name, in: store)
    }
    #expect(throws: EventStoreError.self) { try Forking.fork(info, at: 3, named: nil, in: store) }
    #expect(try store.sessions().count == 1)
  }
}
