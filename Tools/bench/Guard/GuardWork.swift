import BenchReport
import Foundation

/// The work whose instructions are counted.
@MainActor
struct GuardWork {
  let name: String
  /// Two sizes; the difference is divided by that of the sizes.
  let sizes: (Int, Int)
  /// What the program `refold-bench-work` is told for a size.
  let arguments: (Int) throws -> [String]
  /// How often it is counted, and the median taken: more than once for work on several threads.
  var repeats = 1
  /// Whether it leaves a snapshot where there is none.
  var leavesSnapshots = false

  /// Instructions an operation, by name of the work.
  static func count(in folder: TemporaryFolder) async throws -> GuardFigures.Counts {
    var counts: GuardFigures.Counts = [:]
    let program = try withoutDebugging(try ChildProcess.neighbour("refold-bench-work"), in: folder)
    for work in try await all(in: folder) {
      Bench.complain("counting \(work.name)")
      counts[work.name] = try work.count(program, in: folder)
    }
    return counts
  }

  /// A copy of `program` that lacks what debuggers need: valgrind gives up on the DWARF 5 in it.
  private static func withoutDebugging(
    _ program: String, in folder: TemporaryFolder
  ) throws -> String {
    guard let strip = ChildProcess.onPath("strip") else {
      throw BenchError.missing(path: "strip", remedy: "Install it: apt-get install binutils.")
    }
    let copy = folder.path("refold-bench-work")
    try ChildProcess.run(strip, ["--strip-debug", "-o", copy, program])
    return copy
  }

  private static func all(in folder: TemporaryFolder) async throws -> [GuardWork] {
    let store = { (count: Int) in folder.path("guard-\(count).sqlite") }
    let sizes = (3_000, 9_000)
    for size in [sizes.0, sizes.1] {
      try await CounterLog.record(size, at: store(size))
      // The fold is to be one of all events.
      try Limit.forgetSnapshots(store(size))
    }
    return [
      GuardWork(name: "decode", sizes: (3_000, 9_000)) { ["work", "decode", "\($0)"] },
      GuardWork(name: "encode", sizes: (3_000, 9_000)) { ["work", "encode", "\($0)"] },
      GuardWork(name: "fold", sizes: sizes) { ["work", "fold", store($0)] },
      GuardWork(
        name: "open", sizes: (4, 12),
        arguments: { ["work", "open", "\($0)", store(sizes.0)] },
        leavesSnapshots: true),
      GuardWork(
        name: "run", sizes: (1_000, 3_000), arguments: { try run($0, in: folder) }, repeats: 3),
    ]
  }

  /// Commits of one size, whichever thread is faster.
  private static func run(_ count: Int, in folder: TemporaryFolder) throws -> [String] {
    let (input, store) = (folder.path("guard.ndjson"), folder.path("guard-run.sqlite"))
    try CounterLog.writeLines(count, to: input)
    try CounterLog.makeStore(at: store)
    return [
      "run", "counter", "--session", "s1", "--input", input, "--emit", "none", "--batch", "100",
      "--store", store,
    ]
  }

  /// Of work that leaves something for the next time, only the later times are alike.
  private func count(_ program: String, in folder: TemporaryFolder) throws -> Double {
    if leavesSnapshots { try ChildProcess.run(program, try arguments(sizes.0)) }
    let counts = try (0..<repeats).map { _ in
      let few = try instructions(program, sizes.0, in: folder)
      let many = try instructions(program, sizes.1, in: folder)
      return Double(many - few) / Double(sizes.1 - sizes.0)
    }
    return Spread(counts)?.median ?? 0
  }

  /// What valgrind says that the whole process took.
  private func instructions(
    _ program: String, _ size: Int, in folder: TemporaryFolder
  ) throws -> Int {
    guard let valgrind = ChildProcess.onPath("valgrind") else {
      throw BenchError.missing(path: "valgrind", remedy: "Install it: apt-get install valgrind.")
    }
    folder.removeStore(folder.path("guard-run.sqlite"))
    let log = folder.path("valgrind.log")
    let command =
      ["--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-file=\(log)"]
      + [program] + (try arguments(size))
    try ChildProcess.run(valgrind, command)
    let text = try String(contentsOfFile: log, encoding: .utf8)
    guard let count = text.firstMatch(of: /Collected : ([0-9]+)/).flatMap({ Int($0.1) }) else {
      throw BenchError.unreadable("what valgrind says", reason: text)
    }
    return count
  }
}
