/// A long session opened again, and one action sent to it: what it takes must not grow with the
/// session.
struct OpenBenchmark: Benchmark {
  static let name = "open"
  static let summary =
    "refold run counter on a long session, one action, synchronous FULL; medians of 11"
  static let operation = "run"
  static let counts = Counts(usual: 1_000_000, large: 10_000_000)
  private static let runs = 11

  let variants: [Variant]
  let budgets: [Budget]

  /// - Parameter count: how many events the largest session has.
  init(count: Int, in folder: TemporaryFolder) async throws {
    let refold = try ChildProcess.neighbour("refold")
    let input = folder.path("action.ndjson")
    try CounterLog.writeLines(1, to: input)
    var variants: [Variant] = []
    for events in [count, 2] {
      // Snapshots belong to the program that wrote them, so it is the one that records.
      let own = try folder.subfolder("\(events)")
      let store = try RunScenario.counter(max(1, events / 2), isFull: false, in: own)
        .record(as: "open.sqlite")
      variants.append(
        Variant(name: Self.name(events), count: Self.runs) {
          try ChildProcess.median(
            of: Self.runs, refold,
            ["run", "counter", "--session", "s1", "--input", input, "--emit", "states"]
              + ["--store", store])
        })
    }
    variants.append(
      Variant(name: "--version", count: Self.runs) {
        try ChildProcess.median(of: Self.runs, refold, ["--version"])
      })
    self.variants = variants
    budgets = [.extraTime(Self.name(count), atMost: 0.02, over: "--version")]
  }

  private static func name(_ events: Int) -> String { "\(events) events" }
}
