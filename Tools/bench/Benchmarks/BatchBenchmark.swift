/// Commits of `batch` actions, synchronous FULL: the smaller they are, the more of the time is the
/// disk's.
struct BatchBenchmark<let batch: Int>: Benchmark {
  static var name: String { "batch-\(batch)" }
  static var summary: String { "refold run counter --batch \(batch), synchronous FULL" }
  static var operation: String { "action" }

  /// Fewer where most of the time goes into waiting for the disk.
  static var counts: Counts {
    switch batch {
    case ..<10: Counts(usual: 4_000)
    case ..<100: Counts(usual: 40_000)
    case ..<1000: Counts(usual: 100_000)
    default: Counts(usual: 250_000)
    }
  }

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: batch, in: folder)
  }
}
