import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import FaultyDisk
import Synchronization
import Testing

@Suite("A loss of power", .timeLimit(.minutes(Trials.minutes(30))))
struct PowerLossTests {
  @Test func takes_nothing_acknowledged() async throws {
    let counts = Mutex(PowerLossTrial.Counts())
    try await Trials(inSuite: 250, long: 6000).run { seed in
      var trial = PowerLossTrial(.full, seed: seed)
      try trial.run()
      counts.withLock { $0 = $0 + trial.counts }
    }
    let total = counts.withLock { $0 }
    note("synchronous FULL, and kills", total)
    #expect(total.gone == 0)
  }

  @Test func takes_whole_commits_from_the_end_at_most_where_syncs_are_spared() async throws {
    let counts = Mutex(PowerLossTrial.Counts())
    try await Trials(inSuite: 150, long: 4000).run { seed in
      var trial = PowerLossTrial(.normal, seed: seed)
      try trial.run()
      counts.withLock { $0 = $0 + trial.counts }
    }
    let total = counts.withLock { $0 }
    note("synchronous NORMAL, and kills", total)
    #expect(total.gone > 0, "no loss took anything")
  }

  /// The proof is one only if it sees a disk that does not do what it says.
  @Test func on_a_disk_that_lies_about_its_syncs_is_found_out() async throws {
    let found = Mutex(0)
    let trials = Trials(inSuite: 20, long: 200)
    try await trials.run { seed in
      var trial = PowerLossTrial(.full, seed: seed)
      trial.diskLies = true
      do { try trial.run() } catch { found.withLock { $0 += 1 } }
    }
    let count = found.withLock { $0 }
    Figures.note(
      "Power", "a disk that lies about its syncs",
      [("trials", trials.seeds.count), ("found out", count)])
    #expect(count > trials.seeds.count / 2)
  }

  private func note(_ proof: String, _ counts: PowerLossTrial.Counts) {
    Figures.note(
      "Power", proof,
      [
        ("losses of power", counts.losses), ("kills", counts.kills),
        ("failed syncs", counts.failedSyncs),
        ("changes that were not synced", counts.disk.unsynced), ("of them lost", counts.disk.lost),
        ("writes torn", counts.disk.torn), ("acknowledged commits", counts.acknowledged),
        ("lost", counts.gone), ("kept without being acknowledged", counts.extra),
      ])
  }
}
