import EventStoreCore
import EventStoreTesting
import Foundation

/// One store, one input, and a run that is killed again and again before one is let to its end.
struct RunTrial {
  private let shell: Shell
  private let tally: Tally
  private var random: SeededGenerator
  private let input: CounterInput
  private let emission: String
  private let options: [String]
  private let hasIDs: Bool
  private var acknowledged = 0

  private static let kills = 6

  init(_ seed: UInt64, _ tally: Tally) throws {
    self.tally = tally
    shell = try Shell()
    var random = SeededGenerator(seed: seed)
    let hasIDs = random.chance(0.6)
    let isEnvelope = random.chance(0.3) || hasIDs
    let sessions = isEnvelope ? Array(["a", "b", "c", "d"].prefix(1 + random.below(4))) : ["a"]
    let count = 20 + random.below(400)
    input = CounterInput(
      count, sessions: sessions, hasIDs: hasIDs, isEnvelope: isEnvelope, &random)
    emission = random.pick(["acks", "acks", "acks", "events", "states"])
    var options = ["--emit", emission, "--sync", random.pick(["full", "normal"])]
    if isEnvelope { options.append("--envelope") } else { options += ["--session", "a"] }
    if let batch = random.pick([nil, 1, 7, 100]) { options += ["--batch", "\(batch)"] }
    (self.options, self.hasIDs, self.random) = (options, hasIDs, random)
  }

  mutating func run() throws {
    for _ in 0..<Self.kills {
      let lines = try linesToSend()
      let victim = try kill(lines)
      try check(victim, lines)
      try noteCut()
    }
    try finish()
  }

  /// With ids everything is sent again, as by a producer who does not know what arrived; without,
  /// what the log does not have.
  private func linesToSend() throws -> [CounterInput.Line] {
    if hasIDs { return input.lines }
    let logs = try RecordedLog.all(in: shell.store)
    let counts = try logs.mapValues { try input.progress(of: $0).count }
    return input.lines.filter { $0.ordinal >= counts[$0.session, default: 0] }
  }

  /// A proof whose kills all came too late would prove nothing.
  private func noteCut() throws {
    let logs = try RecordedLog.all(in: shell.store)
    let count = try logs.values.reduce(0) { try $0 + input.progress(of: $1).count }
    tally.add("kills that cut the input", count < input.lines.count ? 1 : 0)
    if FileManager.default.fileExists(atPath: shell.store + "-wal") {
      tally.add("kills that left a WAL")
    }
  }

  private mutating func kill(_ lines: [CounterInput.Line]) throws -> Child {
    let isPaced = emission == "acks" && random.chance(0.5)
    let text = lines.map(\.text).joined()
    let victim = try start(isPaced ? .open : .file(shell.write(text, to: "input")))
    let moment = random.below(3)
    if isPaced {
      let stop = moment == 0 ? lines.count : random.below(lines.count + 1)
      try pace(victim, lines, stop: stop)
      // Also while it closes, after the last line.
      if stop == lines.count { victim.endInput() }
      if random.chance(0.5) { victim.read(microseconds: random.below(4000)) }
    } else if moment == 0 {
      try victim.read(lines: random.below(lines.count + 1))
    } else {
      // From the start of the process to some time after its end.
      victim.read(microseconds: random.below(25_000 + 100 * lines.count))
    }
    let ending = try victim.kill9()
    tally.add("kills", ending == .signal(SIGKILL) ? 1 : 0)
    try require(
      ending == .signal(SIGKILL) || ending == .code(0), "\(ending): \(victim.errorText)")
    return victim
  }

  private func start(_ input: Child.Input) throws -> Child {
    try Child(
      ["run", "counter", "--store", shell.store] + options, input: input,
      errors: shell.path("errors"))
  }

  /// Sends some lines at a time, and waits for them to be acknowledged; stops within some.
  private mutating func pace(_ victim: Child, _ lines: [CounterInput.Line], stop: Int) throws {
    var sent = 0
    while sent < stop {
      let end = min(lines.count, sent + 1 + random.below(40))
      victim.send(lines[sent..<end].map(\.text).joined())
      try victim.read(lines: min(end, stop))
      sent = end
    }
  }

  /// Lets a run come to its end: then everything is there, once, whoever sent it how often.
  private mutating func finish() throws {
    let lines = try linesToSend()
    let text = lines.map(\.text).joined()
    let last = try start(.file(shell.write(text, to: "input")))
    let ending = try last.wait()
    try require(ending == .code(0), "the run after the kills: \(ending), \(last.errorText)")
    if emission == "acks" {
      try require(last.lines.count == lines.count, "\(last.lines.count) of \(lines.count) acks")
    }
    try check(last, lines)
    let logs = try RecordedLog.all(in: shell.store)
    for name in Set(input.lines.map(\.session)) {
      let log = try RecordedLog.named(name, in: shell.store)
      let (is_, should) = (
        try input.progress(of: log), input.lines.count { $0.session == name }
      )
      try require(is_.count == should, "session \(name) has \(is_.count) of \(should) actions")
      try checkExport(name, is_.values.last ?? 0)
    }
    try require(logs.count == Set(input.lines.map(\.session)).count, "\(logs.keys)")
    tally.add("actions acknowledged before a kill", acknowledged)
    tally.add("actions sent", input.lines.count)
    for what in ["lost", "doubled", "halved"] { tally.add(what, 0) }
  }

  /// The tool's own fold, which may begin with a snapshot, comes to the state of ours.
  private func checkExport(_ name: String, _ value: Int) throws {
    let export = try Child(
      ["export", name, "--store", shell.store], errors: shell.path("errors"))
    let ending = try export.wait()
    try require(
      ending == .code(0)
        && export.lines.first?.hasSuffix("\"state\":{\"value\":\(value)}}") == true,
      "export of \(name) should give \(value): \(export.lines)")
  }
}

// What was said is true.
extension RunTrial {
  private mutating func check(_ child: Child, _ lines: [CounterInput.Line]) throws {
    let logs = try RecordedLog.all(in: shell.store)
    let progress = try logs.mapValues { try input.progress(of: $0) }
    for text in child.lines {
      let line = try Emitted(text)
      let session = line.session ?? "a"
      guard let log = logs[session], let progress = progress[session] else {
        throw BrokenPromise("\(text) was said, and session \(session) is not there")
      }
      try require(line.seq <= log.events.count, "\(text) was said, and is lost")
      switch emission {
      case "acks": try check(line, progress, lines)
      case "states": try check(state: line, progress)
      default: try check(event: line, log.events[line.seq - 1])
      }
      acknowledged += 1
    }
  }

  private func check(
    _ ack: Emitted, _ progress: CounterInput.Progress, _ lines: [CounterInput.Line]
  ) throws {
    guard let number = ack.line, let version = ack.version else {
      throw BrokenPromise("\(ack.text) is no acknowledgement")
    }
    let line = lines[number - 1]
    try require(line.ordinal < progress.count, "\(line.text) was acknowledged, and is lost")
    try require(
      Seq(UInt32(ack.seq)) == progress.seqs[line.ordinal]
        && Seq(UInt32(version)) >= progress.ends[line.ordinal]
        && version <= Int(progress.ends.last?.rawValue ?? 0),
      "\(ack.text) was said of \(line.text), which is at \(progress.seqs[line.ordinal])")
  }

  private func check(state line: Emitted, _ progress: CounterInput.Progress) throws {
    guard let index = progress.ends.firstIndex(of: Seq(UInt32(line.seq))) else {
      throw BrokenPromise("\(line.text) was said, and no first step ends there")
    }
    try require(
      line.text.hasSuffix("\"state\":{\"value\":\(progress.values[index])}}"),
      "\(line.text) was said, and the log folds to \(progress.values[index])")
  }

  private func check(event line: Emitted, _ event: Event) throws {
    try require(
      line.kind == event.header.kind.name && line.cause == Int(event.header.cause.rawValue)
        && line.text.hasSuffix("\"payload\":\(event.text)}"),
      "\(line.text) was said, and the log has \(event)")
  }
}

/// A line of a run's output.
struct Emitted {
  let text: String
  let seq: Int
  let session: String?
  let line: Int?
  let version: Int?
  let kind: String?
  let cause: Int?

  init(_ text: String) throws {
    let object = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    guard let object, let seq = object["seq"] as? Int else {
      throw BrokenPromise("this is no line of a run: \(text)")
    }
    self.text = text
    self.seq = seq
    session = object["session"] as? String
    line = object["line"] as? Int
    version = object["version"] as? Int
    kind = object["kind"] as? String
    cause = object["cause"] as? Int
  }
}
