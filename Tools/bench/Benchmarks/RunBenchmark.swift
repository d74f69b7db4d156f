import CLimit

/// The whole way of `refold run`, from a file of lines to commits on disk.
struct RunBenchmark: Benchmark {
  static let name = "run"
  static let summary = "refold run counter --emit none, lines from a file, synchronous FULL"
  static let operation = "action"
  /// So many actions a transaction has in the C program.
  private static let actionsPerCommit: Int64 = 1000

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let refold = try ChildProcess.neighbour("refold")
    let input = folder.path("actions.ndjson")
    try CounterLog.writeLines(count, to: input)
    // Both must have written the same log, each time.
    let expected = try Self.expectedLog(count, in: folder)
    variants = [
      Variant(name: "refold run", count: count) {
        try Self.sample(expected, in: folder) { store in
          try ChildProcess.run(
            refold,
            ["run", "counter", "--session", "s1", "--input", input, "--emit", "none"]
              + ["--store", store])
        }
      },
      Variant(name: "C, SQLite only", count: count, budget: 0.7) {
        try Self.sample(expected, in: folder) { try Self.insert(count, into: $0) }
      },
    ]
  }

  /// Hands `body` a store with an empty session, and compares what its log is afterwards.
  private static func sample(
    _ expected: limit_log, in folder: TemporaryFolder, _ body: (String) throws -> Sample
  ) throws -> Sample {
    let store = folder.path("run.sqlite")
    try CounterLog.makeStore(at: store)
    defer { folder.removeStore(store) }
    let sample = try body(store)
    let log = try CounterLog.scan(store)
    guard log.rows == expected.rows, log.checksum == expected.checksum else {
      throw BenchError.wrongResult(
        "the log has \(log.rows) events with the checksum \(log.checksum), expected "
          + "\(expected.rows) with \(expected.checksum)")
    }
    return sample
  }

  private static func expectedLog(_ count: Int, in folder: TemporaryFolder) throws -> limit_log {
    let store = folder.path("expected.sqlite")
    try CounterLog.makeStore(at: store)
    defer { folder.removeStore(store) }
    _ = try insert(count, into: store)
    return try CounterLog.scan(store)
  }

  private static func insert(_ count: Int, into store: String) throws -> Sample {
    let watch = Stopwatch()
    try CounterLog.check(limit_insert(store, Int64(count), actionsPerCommit), "insert")
    return watch.stop()
  }
}
