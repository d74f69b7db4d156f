import EventStoreTesting
import Foundation
import Testing

/// `refold run`, killed with SIGKILL at any moment: while it starts, makes its store, commits, writes
/// the WAL back, or closes.
@Suite("Killed runs", .timeLimit(.minutes(60)))
struct KilledRunTests {
  @Test func a_killed_run_loses_nothing_acknowledged() async throws {
    let tally = Tally()
    try await Trials(inSuite: 40, long: 500).run { seed in
      var trial = try RunTrial(seed, tally)
      try trial.run()
    }
    tally.note("a run of counters, then the same input again")
    #expect(tally.count("kills that cut the input") > 0 && tally.count("kills that left a WAL") > 0)
  }
}
