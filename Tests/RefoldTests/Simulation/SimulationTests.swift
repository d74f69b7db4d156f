import EventStoreCore
import EventStoreTesting
import Synchronization
import Testing

@Suite("Simulated processes", .timeLimit(.minutes(Trials.minutes(30))))
struct SimulationTests {
  /// What a seed comes to.
  private static func trace(_ seed: UInt64) throws -> (Digest, SimulationCounts) {
    let simulation = Simulation(seed: seed)
    try simulation.run()
    let info = try #require(simulation.info)
    return (try simulation.disk.tail(of: info.id).digest, simulation.counts)
  }

  @Test(arguments: 0..<2) func whatever_happens_the_log_keeps_its_promises(half: Int) async throws {
    let counts = Mutex(SimulationCounts())
    let trials = Trials(inSuite: 10_000, long: 30_000).part(half, of: 2)
    try await trials.run { seed in
      let (_, counted) = try Self.trace(seed)
      counts.withLock { $0 += counted }
    }
    let all = counts.withLock { $0 }
    Figures.note(
      "Simulation", "a whole session, its store and its processes, half \(half + 1)",
      [
        ("seeds", trials.seeds.count), ("actions", all.actions),
        ("acknowledged", all.acknowledged), ("events", all.events), ("commits", all.commits),
        ("crashes", all.crashes), ("failed stores", all.failures),
        ("actions decided again", all.decidedAgain),
        ("interrupted effects found", all.interrupted),
        ("repeated deliveries", all.repeated),
        ("things in the middle of others", all.inTheMiddle), ("lost", 0),
      ])
  }

  @Test func a_seed_gives_the_same_log_again() async throws {
    try await Trials(inSuite: 50, long: 2000).run { seed in
      try require(
        try Self.trace(seed).0 == Self.trace(seed).0, "the second run gave another log")
    }
  }
}
