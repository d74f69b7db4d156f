import EventStoreTesting
import Synchronization
import Testing

@Suite("Many threads on one store", .timeLimit(.minutes(Trials.minutes(10))))
struct ManyThreadsTests {
  private func crowd(
    _ name: String, sessions: Int, test: String = #function
  ) async throws {
    let events = Mutex(0)
    let conflicts = Mutex(0)
    let trials = Trials(inSuite: 1, long: 60)
    try await trials.run(test: test) { seed in
      let crowd = try Crowd(threads: 16, sessions: sessions, rounds: 12, seed: seed)
      try crowd.run(stores: 4, options: .init(synchronous: .normal), others: [])
      try crowd.requireNothingLost()
      events.withLock { $0 += crowd.appended }
      conflicts.withLock { $0 += crowd.conflicts }
    }
    Figures.note(
      "Concurrency", "16 threads, \(name)",
      [
        ("rounds", trials.seeds.count), ("events", events.withLock { $0 }),
        ("conflicts solved", conflicts.withLock { $0 }), ("lost, twice or out of order", 0),
      ])
  }

  @Test func append_to_one_session_each_event_once_and_in_order() async throws {
    try await crowd("one session", sessions: 1)
  }

  @Test func append_to_many_sessions_in_one_order_of_all() async throws {
    try await crowd("five sessions", sessions: 5)
  }
}
