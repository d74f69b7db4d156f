import EventStoreTesting
import Synchronization
import Testing

@Suite("A session on a disk that fails", .timeLimit(.minutes(Trials.minutes(30))))
struct SessionOnDiskTests {
  @Test func does_each_action_once_however_often_its_disk_fails() async throws {
    let counts = Mutex(SessionOnDisk.Counts())
    try await Trials(inSuite: 80, long: 2000).run { seed in
      var trial = SessionOnDisk(seed: seed)
      try trial.run()
      counts.withLock { counts in
        counts.ends += trial.counts.ends
        counts.faults += trial.counts.faults
        counts.acknowledged += trial.counts.acknowledged
        counts.repeated += trial.counts.repeated
      }
    }
    let total = counts.withLock { $0 }
    Figures.note(
      "Power", "a session whose sender sends again",
      [
        ("losses of power", total.ends), ("faults", total.faults),
        ("acknowledged actions", total.acknowledged), ("sent again", total.repeated), ("lost", 0),
        ("done twice", 0),
      ])
    #expect(total.repeated > 0)
  }
}
