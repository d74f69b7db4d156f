import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

extension CrashTests {
  /// Several processes on one session, one of which runs an effect that goes on.
  @Suite("Live effects of several processes", .timeLimit(.minutes(Trials.minutes(30))))
  struct LiveEffectTests {}
}

extension CrashTests.LiveEffectTests {
  @Test func are_nobody_elses_until_their_process_dies() async throws {
    let tally = Tally()
    let server = try SilentServer()
    try await Trials(inSuite: 6, long: 80).run { seed in
      try Self.othersCome(to: LiveEffects(server), SeededGenerator(seed: seed), tally)
    }
    tally.note("a live effect, and others that would retry or drop it")
    #expect(tally.count("others that left it alone") > 0)
  }

  private static func othersCome(
    to live: LiveEffects, _ random: SeededGenerator, _ tally: Tally
  ) throws {
    var random = random
    let first = try live.start("startStreaming")
    let isStopped = random.chance(0.4)
    if isStopped { first.signal(SIGSTOP) }
    let lockFile = live.shell.store + "-lock"
    let meddling = random.below(3)
    if meddling > 0 { try FileManager.default.removeItem(atPath: lockFile) }
    if meddling == 2 { try Data().write(to: URL(fileURLWithPath: lockFile)) }
    let policies = [["--retry-interrupted"], ["--drop-interrupted"], []]
    let others = try (0...random.below(3)).map { _ in try live.other(random.pick(policies)) }
    for other in others {
      try require(try live.end(other).isEmpty, "another said: \(other.errorText)")
      tally.add("others that left it alone")
    }
    try live.expect(running: [1], interrupted: [], "while its process lives")
    let log = try live.log()
    try require(log.open == [Seq(1)] && log.retries == 0, "the live effect was taken: \(log)")
    try require(log.actions.count == 1 + others.count, "\(log.actions)")

    tally.add("processes killed", try first.kill9() == .signal(SIGKILL) ? 1 : 0)
    tally.add("of them stopped by SIGSTOP", isStopped ? 1 : 0)
    tally.add("lock files removed", meddling > 0 ? 1 : 0)
    try live.expect(running: [], interrupted: [1], "once its process is dead")
    let message = try live.end(live.other([]))
    try require(message.contains("interrupted effects of actions 1."), message)
    try takeOver(live, random.chance(0.5), tally)
  }

  /// Of several that come for an interrupted effect at once, one gets it.
  private static func takeOver(_ live: LiveEffects, _ isRetry: Bool, _ tally: Tally) throws {
    let option = [isRetry ? "--retry-interrupted" : "--drop-interrupted"]
    let heirs = try (0..<3).map { _ in try live.other(option) }
    for heir in heirs { try live.end(heir) }
    let log = try live.log()
    try require(
      log.open.isEmpty && log.ends[Seq(1)] == (isRetry ? .completed : .cancelled)
        && log.retries == (isRetry ? 1 : 0), "three heirs of one effect: \(log)")
    tally.add("effects that one of three heirs took")
    tally.add("effects taken from the living", 0)
  }

  @Test func of_two_processes_are_told_apart() async throws {
    let server = try SilentServer()
    try await Trials(inSuite: 2, long: 40).run { seed in
      let live = try LiveEffects(server)
      let first = try live.start("startStreaming")
      let second = try live.start("viewDidLoad")
      let log = try live.log()
      let mine = Seq(1)
      let other = try #require(log.open.subtracting([mine]).first)
      let otherSeq = Int(other.rawValue)
      try live.expect(running: [1, otherSeq], interrupted: [], "while both live")
      _ = try first.kill9()
      try live.expect(running: [otherSeq], interrupted: [1], "once the first is dead")
      try live.end(live.other(["--retry-interrupted"]))
      try live.expect(running: [otherSeq], interrupted: [], "after a retry")
      second.signal(SIGTERM)
      try require(try second.wait() == .code(143), "SIGTERM ends a run with 143")
      try live.expect(running: [], interrupted: [], "after the second's end")
      let ends = try live.log().ends
      try require(ends[mine] == .completed && ends[other] == .cancelled, "\(ends)")
    }
  }

  @Test func that_a_stopped_process_has_go_on_with_it() async throws {
    let server = try SilentServer()
    try await Trials(inSuite: 1, long: 20).run { _ in
      let live = try LiveEffects(server)
      let first = try live.start("startStreaming")
      first.signal(SIGSTOP)
      try live.end(live.other(["--retry-interrupted"]))
      first.signal(SIGCONT)
      first.send("\"stopStreaming\"\n")
      try require(try first.read(lines: 2), "it does not go on: \(first.errorText)")
      first.signal(SIGTERM)
      try require(try first.wait() == .code(143), "SIGTERM ends a run with 143")
      let log = try live.log()
      try require(
        log.actions.count == 3 && log.retries == 0 && log.open.isEmpty
          && log.ends == [Seq(1): .cancelled, log.actions[2].header.seq: .cancelled], "\(log)")
    }
  }

  @Test func are_interrupted_in_a_copy_and_stay_alive_in_the_store() async throws {
    let server = try SilentServer()
    try await Trials(inSuite: 2, long: 20).run { seed in
      let live = try LiveEffects(server)
      let first = try live.start("startStreaming")
      let folder = seed.isMultiple(of: 2) ? "elsewhere/" : ""
      let copy = live.shell.path("\(folder)copy.sqlite")
      try FileManager.default.createDirectory(
        atPath: live.shell.path("elsewhere"), withIntermediateDirectories: true)
      for suffix in ["", "-wal", "-lock"] {
        let from = live.shell.store + suffix
        guard FileManager.default.fileExists(atPath: from) else { continue }
        try FileManager.default.copyItem(atPath: from, toPath: copy + suffix)
      }
      try live.expect(running: [], interrupted: [1], store: copy, "in a copy")
      try live.end(live.other(["--drop-interrupted"], store: copy))
      try live.expect(running: [], interrupted: [], store: copy, "in the copy")
      try live.expect(running: [1], interrupted: [], "in the store")
      _ = try first.kill9()
      try live.expect(running: [], interrupted: [1], "in the store")
    }
  }

  @Test func are_cancelled_in_a_fork_and_stay_alive_in_the_session() async throws {
    let server = try SilentServer()
    try await Trials(inSuite: 1, long: 20).run { _ in
      let live = try LiveEffects(server)
      let first = try live.start("startStreaming")
      try live.end(
        Child(
          ["fork", "s", "--session", "f", "--store", live.shell.store],
          errors: live.shell.path("errors")))
      try live.expect(running: [], interrupted: [], session: "f", "in a fork")
      try live.expect(running: [1], interrupted: [], "in the session")
      let fork = try EffectLog(RecordedLog.named("f", in: live.shell.store))
      try require(fork.ends == [Seq(1): .cancelled], "\(fork)")
      _ = try first.kill9()
      try live.expect(running: [], interrupted: [1], "in the session")
    }
  }

  @Test func a_process_stopped_in_a_commit_keeps_others_waiting_and_loses_nothing() async throws {
    let tally = Tally()
    try await Trials(inSuite: 4, long: 60).run { seed in
      var random = SeededGenerator(seed: seed)
      let shell = try Shell()
      let line = "{\"increase\":{\"by\":1}}\n"
      let words = ["run", "counter", "--session", "s", "--store", shell.store, "--emit"]
      let input = try shell.write(String(repeating: line, count: 800), to: "input")
      let first = try Child(
        words + ["acks", "--batch", "2"], input: .file(input), errors: shell.path("first"))
      try first.read(lines: 1 + random.below(100))
      first.signal(SIGSTOP)
      let second = try Child(
        words + ["none", "--wait", "0.05"], input: .file(shell.write(line, to: "one")),
        errors: shell.path("second"))
      let ending = try second.wait()
      try require(ending == .code(0) || ending == .code(69), "\(ending): \(second.errorText)")
      tally.add(ending == .code(0) ? "others that came in" : "others that were told to wait")
      first.signal(SIGCONT)
      try require(try first.wait() == .code(0), first.errorText)
      try require(first.lines.count == 800, "\(first.lines.count) acknowledgements")
      let count = try RecordedLog.named("s", in: shell.store).events.count
      try require(count == 1600 + (ending == .code(0) ? 2 : 0), "\(count) events")
    }
    tally.note("a process stopped by SIGSTOP while it writes")
  }
}
