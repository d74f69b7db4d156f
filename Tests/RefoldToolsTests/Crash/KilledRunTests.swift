import EventStoreTesting
import Foundation
import Testing

/// `refold run`, killed with SIGKILL at any moment: while it starts, makes its store, commits, writes
/// the WAL back, or closes.
@Suite("Killed runs", .serialized, .timeLimit(.minutes(Trials.minutes(60))))
struct KilledRunTests {
  @Test func a_killed_run_loses_nothing_acknowledged() async throws {
    let tally = Tally()
    try await Trials(inSuite: 30, long: 400).run { seed in
      var trial = try RunTrial(seed, tally)
      try trial.run()
    }
    tally.note("a run of counters, then the same input again")
    #expect(tally.count("kills that cut the input") > 0 && tally.count("kills that left a WAL") > 0)
  }

  @Test func effects_of_a_killed_run_are_interrupted_and_end_once() async throws {
    let tally = Tally()
    let server = try SilentServer()
    try await Trials(inSuite: 16, long: 200).run { seed in
      var trial = try EffectTrial(seed, tally, server)
      try trial.run()
    }
    tally.note("a run with effects, then with --retry- or --drop-interrupted")
    #expect(tally.count("effects interrupted by a kill") > 0 && tally.count("taken over") > 0)
  }

  @Test func a_kill_near_a_snapshot_or_a_checkpoint_breaks_neither() async throws {
    let tally = Tally()
    try await Trials(inSuite: 2, long: 50).run { seed in
      var trial = try EditorTrial(seed, tally)
      try trial.run()
    }
    tally.note("a run of large actions, with snapshots and checkpoints")
    #expect(tally.count("kills after a snapshot") > 0)
    #expect(tally.count("kills after the WAL was written back") > 0)
  }

  @Test func of_two_runs_of_one_session_both_may_be_killed() async throws {
    let tally = Tally()
    try await Trials(inSuite: 12, long: 100).run { seed in
      var trial = try TwoProducersTrial(seed, tally)
      try trial.run()
    }
    tally.note("two runs of one session, both killed, then the same input again")
    #expect(tally.count("kills that found both in the log") > 0)
  }
}
