import BenchReport

/// Memory must not grow with the length of a log.
struct MemoryBenchmark: Benchmark {
  static let name = "memory"
  static let summary = "the most memory of a process, by the length of the counter's log"
  static let operation = "event"
  static let counts = Counts(usual: 1_000_000, large: 10_000_000)
  static let mostRounds = 1
  private static let commands = [
    ("replay", ["replay", "s1"]), ("export --as log", ["export", "s1", "--as", "log"]),
    ("verify", ["verify"]),
  ]

  let variants: [Variant]
  let budgets: [Budget]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let sizes = Counts.sizes(upTo: count).filter { $0 >= 100_000 || $0 == count }
    let names = ["run"] + Self.commands.map(\.0)
    variants = try sizes.flatMap { try Self.variants($0, in: folder) }
    budgets = names.flatMap { name -> [Budget] in
      let (least, most) = (Self.name(name, sizes[0]), Self.name(name, count))
      // A fifth more is what the allocator and SQLite's cache make of more rounds of the same.
      return [.memory(most, atMost: 64 << 20)]
        + (sizes.count > 1 ? [.memoryGrowth(most, atMost: 1.2, of: least)] : [])
    }
  }

  private static func name(_ command: String, _ events: Int) -> String {
    "\(command), \(Figures.count(events))"
  }

  /// `run` makes the log that the others then read.
  private static func variants(_ events: Int, in folder: TemporaryFolder) throws -> [Variant] {
    let refold = try ChildProcess.neighbour("refold")
    let store = folder.path("memory-\(events).sqlite")
    let input = folder.path("actions-\(events).ndjson")
    let run = Variant(name: name("run", events), count: events) {
      try CounterLog.writeLines(events / 2, to: input)
      return try ChildProcess.run(
        refold,
        ["run", "counter", "--session", "s1", "--input", input, "--emit", "none"]
          + ["--store", store])
    }
    return [run]
      + commands.map { command, words in
        Variant(name: name(command, events), count: events) {
          try ChildProcess.run(refold, words + ["--store", store])
        }
      }
  }
}
