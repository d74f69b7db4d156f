import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Foundation
import Testing

extension CrashTests {
  /// The commands that write other than `run`, killed at any moment.
  @Suite("Killed commands", .timeLimit(.minutes(Trials.minutes(30))))
  struct KilledCommandTests {}
}

/// What starts many processes goes one after the other.
@Suite(.serialized) enum CrashTests {}

extension CrashTests.KilledCommandTests {
  @Test func a_killed_import_has_imported_everything_or_nothing() async throws {
    let trials = try CommandTrials(actions: 1500)
    let words = { @Sendable (_: Shell) in ["import", trials.logFile, "--session", "new"] }
    let duration = try trials.duration(of: words)
    try await Trials(inSuite: 8, long: 200).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try random.chance(0.5) ? trials.copy() : Shell()
      try trials.kill(words(shell), in: shell, after: random.below(duration * 11 / 10))
      let logs = try RecordedLog.all(in: shell.store)
      try require(logs["c"].map { $0.digest == trials.log.digest } ?? true, "session c changed")
      let there = logs["new"]
      try require(
        there.map { $0.digest == trials.log.digest } ?? true, "half of the log was imported")
      trials.tally.add(there == nil ? "imported nothing" : "imported everything")
      let again = try trials.run(words(shell), in: shell)
      try require(
        again.ending == .code(there == nil ? 0 : 65), "\(again.ending): \(again.child.errorText)")
      try require(
        try RecordedLog.named("new", in: shell.store).digest == trials.log.digest,
        "the second import")
    }
    trials.tally.note("import")
  }

  @Test func a_killed_fork_has_made_everything_or_nothing() async throws {
    let trials = try CommandTrials(actions: 10)
    let words = { @Sendable (_: Shell) in ["fork", "p", "--session", "new"] }
    let duration = try trials.duration(of: words)
    try await Trials(inSuite: 8, long: 200).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try trials.copy()
      try trials.kill(words(shell), in: shell, after: random.below(duration * 11 / 10))
      let there = try RecordedLog.all(in: shell.store)["new"]
      if let there { try expectWhole(there) }
      trials.tally.add(there == nil ? "forked nothing" : "forked everything")
      let again = try trials.run(words(shell), in: shell)
      try require(
        again.ending == .code(there == nil ? 0 : 65), "\(again.ending): \(again.child.errorText)")
      try expectWhole(RecordedLog.named("new", in: shell.store))
    }
    trials.tally.note("fork")
  }

  /// Every effect that the cut left open is cancelled.
  private func expectWhole(_ fork: RecordedLog) throws {
    let effects = try EffectLog(fork)
    let isWhole =
      effects.open.isEmpty && effects.ends.count == CommandTrials.open
      && fork.events.count == 4 * CommandTrials.open
    try require(isWhole, "half of the fork was made: \(fork.events.count) events")
  }

  @Test func a_killed_fork_that_sends_again_has_made_a_beginning_or_nothing() async throws {
    let trials = try CommandTrials(actions: 3000)
    let words = { @Sendable (_: Shell) in ["fork", "c", "--skip", "1", "--session", "new"] }
    let duration = try trials.duration(of: words)
    let whole = try trials.copy()
    _ = try trials.run(words(whole), in: whole)
    let events = try RecordedLog.named("new", in: whole.store).events
    try await Trials(inSuite: 6, long: 100).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try trials.copy()
      try trials.kill(words(shell), in: shell, after: random.below(duration * 11 / 10))
      let there = try RecordedLog.all(in: shell.store)["new"]?.events
      try require(there == there.map { Array(events.prefix($0.count)) }, "it is no beginning")
      switch there?.count {
      case nil: trials.tally.add("forked nothing")
      case events.count: trials.tally.add("forked everything")
      default: trials.tally.add("forked a beginning")
      }
    }
    trials.tally.note("fork --skip")
  }

  @Test func a_killed_export_leaves_the_old_file_or_the_whole_new_one() async throws {
    let trials = try CommandTrials(actions: 1500)
    let formats = ["log", "states", "html", "csv"]
    let words = { @Sendable (format: String, shell: Shell) in
      ["export", "c", "--as", format, "-o", shell.path("result")]
    }
    var whole: [String: (result: [UInt8], duration: Int)] = [:]
    for format in formats {
      let shell = try trials.copy()
      let clock = ContinuousClock()
      let time = try clock.measure { _ = try trials.run(words(format, shell), in: shell) }
      whole[format] = (try shell.read("result"), Int(time / .microseconds(1)))
    }
    try await Trials(inSuite: 8, long: 200).run { [whole] seed in
      var random = SeededGenerator(seed: seed)
      let format = random.pick(formats)
      guard let (result, duration) = whole[format] else { return }
      let shell = try trials.copy()
      let old = random.chance(0.5) ? Array("old".utf8) : nil
      if old != nil { try shell.write("old", to: "result") }
      try trials.kill(words(format, shell), in: shell, after: random.below(duration * 11 / 10))
      let there = try? shell.read("result")
      try require(there == old || there == result, "\(there?.count ?? 0) bytes of \(format)")
      trials.tally.add(there == old ? "wrote nothing" : "wrote everything")
      let others = try FileManager.default.contentsOfDirectory(atPath: shell.folder.path)
        .filter { !$0.hasPrefix("refold.sqlite") && !["result", "errors"].contains($0) }
      try require(others.isEmpty, "a killed export left \(others)")
      trials.tally.add("left something else", others.count)
    }
    trials.tally.note("export -o")
  }

  @Test func a_killed_recovery_leaves_nothing_under_its_name_or_the_whole_store() async throws {
    let trials = try CommandTrials(actions: 1500)
    let words = { @Sendable (shell: Shell) in ["recover", "-o", shell.path("new.sqlite")] }
    let duration = try trials.duration(of: words)
    let original = try trials.copy()
    let whole = try RecordedLog.all(in: original.store)
    try await Trials(inSuite: 6, long: 100).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try trials.copy()
      try trials.kill(words(shell), in: shell, after: random.below(duration * 11 / 10))
      guard FileManager.default.fileExists(atPath: shell.path("new.sqlite")) else {
        return trials.tally.add("recovered nothing")
      }
      let there = try RecordedLog.all(in: shell.path("new.sqlite"))
      try require(there.mapValues(\.events) == whole.mapValues(\.events), "half was recovered")
      trials.tally.add("recovered everything")
    }
    trials.tally.note("recover")
  }

  @Test func a_killed_command_that_reads_changes_nothing() async throws {
    let trials = try CommandTrials(actions: 1500)
    let commands = [
      ["verify"], ["sessions"], ["log", "c"], ["export", "c"], ["search", "c", "increase"],
    ]
    try await Trials(inSuite: 8, long: 200).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try trials.copy()
      // Killed, so that there is a WAL to be careful with.
      if random.chance(0.5) {
        try trials.kill(["fork", "p", "--session", "new"], in: shell, after: random.below(60_000))
      }
      let before = ["", "-wal"].map { try? shell.read("refold.sqlite" + $0) }
      try trials.kill(random.pick(commands), in: shell, after: random.below(60_000))
      let after = ["", "-wal"].map { try? shell.read("refold.sqlite" + $0) }
      try require(before[0] == after[0], "the file changed")
      try require((before[1] ?? []) == (after[1] ?? []), "the WAL changed")
      let verify = try trials.run(["verify"], in: shell)
      try require(verify.ending == .code(0), verify.child.errorText)
    }
    trials.tally.note("verify, sessions, log, export and search")
  }
}
