import EventStoreTesting
import Foundation
import Testing

extension CrashTests {
  /// A store that is killed while it is made, or while it rests.
  @Suite("Killed stores", .timeLimit(.minutes(Trials.minutes(30))))
  struct KilledStoreTests {}
}

extension CrashTests.KilledStoreTests {
  @Test func a_kill_near_the_checkpoint_of_an_idle_run_breaks_nothing() async throws {
    let tally = Tally()
    try await Trials(inSuite: 2, long: 20).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try Shell()
      // There by now, so that the long action is the only commit.
      let words = ["run", "editor", "--session", "s", "--emit", "acks", "--store", shell.store]
      _ = try Child(words, errors: shell.path("errors")).wait()
      let child = try Child(words, input: .open, errors: shell.path("errors"))
      let text = String(repeating: "long ", count: 200_000)
      child.send("{\"edit\":{\"at\":0,\"delete\":0,\"insert\":\"\(text)\"}}\n")
      try child.read(lines: 1)
      // It is due two seconds after the last commit.
      child.read(microseconds: 1_998_000 + random.below(20_000))
      tally.add("kills", try child.kill9() == .signal(SIGKILL) ? 1 : 0)
      let wal = FileManager.default.contents(atPath: shell.store + "-wal")?.count ?? 0
      tally.add(wal == 0 ? "after it" : "before or in it")
      let log = try RecordedLog.named("s", in: shell.store)
      try require(log.events.count == 2, "\(log.events.count) of 2 events")
    }
    tally.note("an idle run")
  }

  @Test func a_store_that_was_being_made_is_made_by_the_next_run() async throws {
    let tally = Tally()
    try await Trials(inSuite: 16, long: 300).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try Shell()
      let words = ["run", "counter", "--session", "s", "--emit", "acks", "--store", shell.store]
      let input = try Child.Input.file(shell.write("\"reset\"\n", to: "input"))
      let child = try Child(words, input: input, errors: shell.path("errors"))
      // From the moment at which there is a file.
      let waits = random.chance(0.7)
      while waits, !FileManager.default.fileExists(atPath: shell.store) {
        child.read(microseconds: 100)
      }
      child.read(microseconds: random.below(waits ? 6000 : 30_000))
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
