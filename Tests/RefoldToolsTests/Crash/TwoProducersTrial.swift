import EventStoreCore
import EventStoreTesting
import Foundation

/// Two producers pipe into one session at once, each with ids of its own; both runs are killed, and
/// both producers send everything again.
struct TwoProducersTrial {
  private let shell: Shell
  private let tally: Tally
  private var random: SeededGenerator
  private let inputs: [CounterInput]
  private let batches: [String]

  private static let kills = 4

  init(_ seed: UInt64, _ tally: Tally) throws {
    self.tally = tally
    shell = try Shell()
    var random = SeededGenerator(seed: seed)
    inputs = ["a", "b"].map { name in
      CounterInput(
        100 + random.below(400), sessions: ["s"], hasIDs: true, isEnvelope: true,
        prefix: name, &random)
    }
    batches = (0..<2).map { _ in "\(random.pick([1, 5, 50]))" }
    self.random = random
  }

  mutating func run() throws {
    for _ in 0..<Self.kills {
      let children = try start()
      let patient = random.below(2)
      try children[patient].read(lines: random.below(inputs[patient].lines.count))
      if random.chance(0.5) { children[patient].read(microseconds: random.below(30_000)) }
      for child in children {
        tally.add("kills", try child.kill9() == .signal(SIGKILL) ? 1 : 0)
      }
      try check(children)
    }
    let children = try start()
    for child in children {
      let ending = try child.wait()
      try require(ending == .code(0), "the run after the kills: \(ending), \(child.errorText)")
    }
    let counts = try check(children)
    try require(counts == inputs.map(\.lines.count), "\(counts) actions")
    tally.add("actions sent", counts.reduce(0, +))
    for what in ["lost", "doubled", "halved"] { tally.add(what, 0) }
  }

  private func start() throws -> [Child] {
    try inputs.indices.map { index in
      let file = "input-\(index)"
      return try Child(
        ["run", "counter", "--envelope", "--emit", "acks", "--batch", batches[index]]
          + ["--store", shell.store],
        input: .file(shell.write(inputs[index].lines.map(\.text).joined(), to: file)),
        errors: shell.path("errors"))
    }
  }

  /// Each producer's actions are in the log in its order, each once and whole, decided in the state
  /// that it found.
  /// - Returns: how many actions of each there are.
  @discardableResult
  private func check(_ children: [Child]) throws -> [Int] {
    let log = try RecordedLog.all(in: shell.store)["s"]
    var counts = [0, 0]
    var value = 0
    var places: [[Seq]] = [[], []]
    var rest = (log?.events ?? [])[...]
    while let action = rest.popFirst() {
      let index = action.delivery?.id.hasPrefix("a") == true ? 0 : 1
      guard counts[index] < inputs[index].lines.count else {
        throw BrokenPromise("\(action) is one too many")
      }
      let line = inputs[index].lines[counts[index]]
      try require(
        action.header.kind == .action && action.delivery?.id == line.id
          && action.text == line.action, "\(line.text) should be next, and is \(action)")
      if let mutation = CounterInput.mutation(of: line.action, &value) {
        let event = rest.popFirst()
        try require(
          event?.text == mutation && event?.header.cause == action.header.seq,
          "\(action) should lead to \(mutation), and does to \(String(describing: event))")
      }
      places[index].append(action.header.seq)
      counts[index] += 1
    }
    for (index, child) in children.enumerated() {
      for line in try child.lines.map({ try Emitted($0) }) {
        guard let number = line.line, number <= places[index].count,
          places[index][number - 1] == Seq(UInt32(line.seq))
        else { throw BrokenPromise("\(line.text) was said, and is lost") }
        tally.add("actions acknowledged")
      }
    }
    let isOfBoth = zip(counts, inputs).allSatisfy { $0 > 0 && $0 < $1.lines.count }
    tally.add("kills that found both in the log", isOfBoth ? 1 : 0)
    return counts
  }
}
