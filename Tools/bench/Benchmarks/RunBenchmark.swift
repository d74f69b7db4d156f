/// The whole way of `refold run`, from a file of lines to commits on disk.
struct RunBenchmark: Benchmark {
  static let name = "run"
  static let summary = "refold run counter --emit none, lines from a file, synchronous FULL"
  static let operation = "action"
  /// Actions a second of ReactorKit, which persists nothing: the best of several sittings. The
  /// package is not there to be measured, so this belongs to another moment than its neighbours.
  private static let reactorKit = 97_000.0

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants =
      try CounterRun.variants(count, batch: nil, budget: 0.7, in: folder) + [
        .constant(
          "ReactorKit in memory (not measured here)", count: count, perSecond: Self.reactorKit,
          budget: 2)
      ]
  }
}

/// The same, where a power cut may take the last commits.
struct NormalRunBenchmark: Benchmark {
  static let name = "run-normal"
  static let summary = "the same with --sync normal"
  static let operation = "action"

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: nil, isFull: false, in: folder)
  }
}

/// What `run` gives out for each action.
struct EmitBenchmark: Benchmark {
  static let name = "emit"
  static let summary = "refold run counter with each --emit, output discarded"
  static let operation = "action"
  static let counts = Counts(usual: 250_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let scenario = try RunScenario.counter(count, in: folder)
    let expected = try ExpectedLog(scenario.record(as: "expected.sqlite"))
    variants = ["none", "acks", "events", "diffs", "states"].map {
      scenario.variant("--emit \($0)", emit: $0, check: expected.check)
    }
  }
}
