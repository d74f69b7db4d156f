import BenchReport
import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// How time and memory grow with the length of the counter's log.
@MainActor
enum Growth {
  /// What one length gave.
  private struct Line {
    let events: Int
    var runPerEvent = 0.0
    var foldPerEvent = 0.0
    var seek = 0.0
    var open = 0.0
    var runMemory = 0
    var replayMemory = 0
    var bytesPerEvent = 0.0
  }

  /// Measures lengths from 10,000 events up, and prints a table.
  static func measure(_ arguments: Arguments, in folder: TemporaryFolder) async throws {
    let largest = arguments.count ?? (arguments.isLarge ? 10_000_000 : 1_000_000)
    var lines: [Line] = []
    for events in Counts.sizes(upTo: largest) {
      Bench.complain("\(Figures.count(events)) events")
      let own = try folder.subfolder("\(events)")
      lines.append(try await line(events, rounds: arguments.rounds, in: own))
      own.remove()
    }
    let table = Table([head] + lines.map(cells))
    print(arguments.format == .markdown ? table.markdown : table.text)
  }

  private static let head = [
    "events", "`run`, an event", "fold, an event", "state at a random seq",
    "open and first action, over start-up", "memory of `run`", "memory of `replay`",
    "on disk, an event",
  ]

  private static func cells(_ line: Line) -> [String] {
    [
      Figures.count(line.events), Figures.time(seconds: line.runPerEvent),
      Figures.time(seconds: line.foldPerEvent), Figures.time(seconds: line.seek),
      Figures.time(seconds: line.open), Figures.mebibytes(line.runMemory),
      Figures.mebibytes(line.replayMemory), "\(Figures.significant(line.bytesPerEvent)) B",
    ]
  }

  private static func line(
    _ events: Int, rounds: Int, in folder: TemporaryFolder
  ) async throws -> Line {
    var line = Line(events: events)
    try measureProcesses(&line, rounds, in: folder)
    // Snapshots belong to the program that wrote them: this one seeks in what it recorded itself.
    let store = folder.path("own.sqlite")
    try await CounterLog.record(events / 2, at: store)
    line.seek = try seek(store, events)
    try Limit.forgetSnapshots(store)
    line.foldPerEvent =
      try median(rounds) { try Folding.state(of: CounterReactor(), in: store).1.seconds }
      / Double(events)
    return line
  }

  private static func measureProcesses(
    _ line: inout Line, _ rounds: Int, in folder: TemporaryFolder
  ) throws {
    let refold = try ChildProcess.neighbour("refold")
    let (input, one) = (folder.path("actions.ndjson"), folder.path("action.ndjson"))
    try CounterLog.writeLines(line.events / 2, to: input)
    try CounterLog.writeLines(1, to: one)
    let store = folder.path("run.sqlite")
    let run = { (input: String) in
      try ChildProcess.run(
        refold,
        ["run", "counter", "--session", "s1", "--input", input, "--emit", "none"]
          + ["--store", store])
    }
    line.runPerEvent =
      try median(rounds) {
        folder.removeStore(store)
        let sample = try run(input)
        line.runMemory = max(line.runMemory, sample.residentBytes ?? 0)
        return sample.seconds
      } / Double(line.events)
    line.bytesPerEvent = Double(TemporaryFolder.bytes(of: store)) / Double(line.events)
    line.replayMemory =
      try ChildProcess.run(refold, ["replay", "s1", "--store", store]).residentBytes ?? 0
    let start = try median(11) { try ChildProcess.run(refold, ["--version"]).seconds }
    line.open = max(0, try median(11) { try run(one).seconds } - start)
  }

  /// The median of the times that the state at 200 positions takes, each in turn somewhere else.
  private static func seek(_ path: String, _ events: Int) throws -> Double {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    let machine = try TimeMachine(CounterReactor(), session: "s1", in: store)
    let count = 200
    let sample = try Stopwatch.median(of: count) { index in
      // Steps of the golden section fall everywhere, and the same way each time.
      let place = (Double(index) * 0.618_033_988_75).truncatingRemainder(dividingBy: 1)
      _ = try machine.state(at: Seq(UInt32(place * Double(events))))
    }
    try store.close()
    return sample.seconds / Double(count)
  }

  private static func median(_ count: Int, _ body: () throws -> Double) throws -> Double {
    Spread(try (0..<count).map { _ in try body() })?.median ?? 0
  }
}
