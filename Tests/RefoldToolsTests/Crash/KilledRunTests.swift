import EventStoreTesting
import Foundation
import Testing

/// `refold run`, killed with SIGKILL at any moment: while it starts, makes its store, commits, writes
/// the WAL back, or closes.
@Suite("Killed runs", .serialized, .timeLimit(.minutes(60)))
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

  @Test func effects_of_a_killed_run_are_interrupted_and_end_once() async throws {
    let tally = Tally()
    let server = try SilentServer()
    try await Trials(inSuite: 24, long: 240).run { seed in
      var trial = try EffectTrial(seed, tally, server)
      try trial.run()
    }
    tally.note("a run with effects, then with --retry- or --drop-interrupted")
    #expect(tally.count("effects interrupted by a kill") > 0 && tally.count("taken over") > 0)
  }

  @Test func a_kill_near_a_snapshot_or_a_checkpoint_breaks_neither() async throws {
    let tally = Tally()
    try await Trials(inSuite: 4, long: 100).run { seed in
      var trial = try EditorTrial(seed, tally)
      try trial.run()
    }
    tally.note("a run of large actions, with snapshots and checkpoints")
    #expect(tally.count("kills after a snapshot") > 0)
    #expect(tally.count("kills after the WAL was written back") > 0)
  }

  @Test func a_kill_near_the_checkpoint_of_an_idle_run_breaks_nothing() async throws {
    let tally = Tally()
    try await Trials(inSuite: 2, long: 60).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try Shell()
      let child = try Child(
        ["run", "counter", "--session", "s", "--emit", "acks", "--store", shell.store],
        input: .open, errors: shell.path("errors"))
      child.send(String(repeating: "{\"increase\":{\"by\":1}}\n", count: 200))
      try child.read(lines: 200)
      // It is due two seconds after the last commit.
      child.read(microseconds: 1_990_000 + random.below(30_000))
      _ = try child.kill9()
      tally.add("kills")
      let wal = FileManager.default.contents(atPath: shell.store + "-wal")?.count ?? 0
      tally.add(wal == 0 ? "after it" : "before or in it")
      let log = try RecordedLog.named("s", in: shell.store)
      try require(log.events.count == 400, "\(log.events.count) of 400 events")
    }
    tally.note("an idle run")
  }

  @Test func a_store_that_was_being_made_is_made_by_the_next_run() async throws {
    let tally = Tally()
    try await Trials(inSuite: 24, long: 500).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try Shell()
      let words = ["run", "counter", "--session", "s", "--emit", "acks", "--store", shell.store]
      let input = try Child.Input.file(shell.write("\"reset\"\n", to: "input"))
      let child = try Child(words, input: input, errors: shell.path("errors"))
      // From the moment at which there is a file.
      while random.chance(0.9), !FileManager.default.fileExists(atPath: shell.store) {
        child.read(microseconds: 100)
      }
      child.read(microseconds: random.below(4000))
      tally.add("kills", try child.kill9() == .signal(SIGKILL) ? 1 : 0)
      let bytes = FileManager.default.contents(atPath: shell.store)?.count
      tally.add(
        bytes == nil ? "without a file" : bytes == 0 ? "with an empty file" : "with a store")
      let before = try RecordedLog.all(in: shell.store)["s"]?.events.count ?? 0
      try require(before >= child.lines.count, "\(child.lines) was said, and is lost")
      let next = try Child(words, input: input, errors: shell.path("errors"))
      try require(try next.wait() == .code(0), next.errorText)
      let after = try RecordedLog.named("s", in: shell.store).events.count
      try require(after == before + 1, "\(before) events, then \(after)")
    }
    tally.note("the making of a store")
  }
}
