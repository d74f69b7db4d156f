import EventStoreCore
import EventStoreTesting
import Foundation

/// Runs with effects that are killed, and again while they retry or drop what the one before left.
struct EffectTrial {
  private let shell: Shell
  private let server: SilentServer
  private let tally: Tally
  private var random: SeededGenerator
  private let scenario: EffectScenario
  private let actions: [String]

  private static let kills = 5

  init(_ seed: UInt64, _ tally: Tally, _ server: SilentServer) throws {
    self.tally = tally
    self.server = server
    shell = try Shell()
    var random = SeededGenerator(seed: seed)
    let scenario = random.pick(EffectScenario.all)
    actions = (0..<4 + random.below(25)).map { _ in random.pick(scenario.actions) }
    self.scenario = scenario
    self.random = random
  }

  mutating func run() throws {
    for _ in 0..<Self.kills {
      let policy = random.pick([[], ["--retry-interrupted"], ["--drop-interrupted"]])
      let victim = try kill(policy)
      try check(victim)
      try checkInterrupted()
    }
    let policy = random.pick(["--retry-interrupted", "--drop-interrupted"])
    let before = try log()?.open.map(\.cause) ?? []
    let last = try start([policy], isSilent: false)
    let ending = try last.wait()
    try require(ending == .code(0), "the run after the kills: \(ending), \(last.errorText)")
    try check(last)
    try checkEnds(before, dropped: policy == "--drop-interrupted")
  }

  private mutating func kill(_ policy: [String]) throws -> Child {
    // Sent again, with the same ids.
    let isSilent = random.chance(0.6)
    let victim = try start(policy, isSilent: isSilent)
    if random.chance(0.6) {
      try victim.read(lines: random.below(actions.count + 1))
    }
    victim.read(microseconds: random.below(isSilent ? 20_000 : 60_000))
    let ending = try victim.kill9()
    tally.add("kills", ending == .signal(SIGKILL) ? 1 : 0)
    try require(
      ending == .signal(SIGKILL) || ending == .code(0), "\(ending): \(victim.errorText)")
    return victim
  }

  private func start(_ policy: [String], isSilent: Bool) throws -> Child {
    let text = actions.indices.map { #"{"id":"e-\#($0)","action":\#(actions[$0])}"# + "\n" }
    return try Child(
      ["run", scenario.reactor, "--session", "s", "--envelope", "--emit", "acks"] + policy
        + scenario.settings + (isSilent ? ["--set", "api=\(server.url)"] : [])
        + ["--store", shell.store],
      input: .file(shell.write(text.joined(), to: "input")), errors: shell.path("errors"))
  }

  private func log() throws -> RecordedLog? { try RecordedLog.all(in: shell.store)["s"] }

  /// Every action that was acknowledged is there, at its place, once.
  private mutating func check(_ child: Child) throws {
    let lines = try child.lines.map { try Emitted($0) }
    guard let log = try log() else {
      return try require(lines.isEmpty, "\(lines.count) actions were acknowledged, and are lost")
    }
    let effects = try EffectLog(log)
    for (index, action) in effects.actions.enumerated() {
      try require(
        action.delivery?.id == "e-\(index)"
          && (!scenario.isVerbatim || action.text == actions[index]),
        "action \(index) should be \(actions[index]), and is \(action)")
    }
    for line in lines {
      guard let number = line.line, number <= effects.actions.count,
        Seq(UInt32(line.seq)) == effects.actions[number - 1].header.seq
      else { throw BrokenPromise("\(line.text) was said, and is lost") }
    }
    tally.add("actions acknowledged", lines.count)
  }

  /// Whoever ran them is dead, so every effect without an end is interrupted, and told to be.
  private func checkInterrupted() throws {
    guard let log = try log() else { return }
    try require(log.open.allSatisfy { !$0.isRunning }, "a dead process runs \(log.open)")
    tally.add("effects interrupted by a kill", log.open.count)
    let tool = try Child(
      ["sessions", "--json", "--store", shell.store], errors: shell.path("errors"))
    let ending = try tool.wait()
    let seqs = log.open.map { "\($0.cause)" }.joined(separator: ",")
    try require(
      ending == .code(0)
        && tool.lines.first?.contains("\"running\":[],\"interrupted\":[\(seqs)]") == true,
      "sessions should tell of \(seqs): \(tool.lines)")
  }

  private func checkEnds(_ before: [Seq], dropped: Bool) throws {
    guard let log = try log() else { throw BrokenPromise("session s is lost") }
    let effects = try EffectLog(log)
    try require(effects.open.isEmpty, "effects \(effects.open) have no end")
    try require(effects.actions.count == actions.count, "\(effects.actions.count) actions")
    for cause in before {
      guard let end = effects.ends[cause] else { throw BrokenPromise("\(cause) has no end") }
      try require(!dropped || end == .cancelled, "the dropped effect of \(cause) is \(end)")
    }
    tally.add("effects that ended once", effects.ends.count)
    tally.add("taken over", effects.retries)
    for what in ["ended twice", "without an end"] { tally.add(what, 0) }
  }
}
