/// Small commits, synchronous FULL: the smaller they are, the more of the time is the disk's.
struct Batch1000Benchmark: Benchmark {
  static let name = "batch-1000"
  static let summary = "refold run counter --batch 1000, synchronous FULL"
  static let operation = "action"
  static let counts = Counts(usual: 250_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: 1000, in: folder)
  }
}

/// See `Batch1000Benchmark`.
struct Batch100Benchmark: Benchmark {
  static let name = "batch-100"
  static let summary = "refold run counter --batch 100, synchronous FULL"
  static let operation = "action"
  static let counts = Counts(usual: 100_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: 100, in: folder)
  }
}

/// See `Batch1000Benchmark`.
struct Batch10Benchmark: Benchmark {
  static let name = "batch-10"
  static let summary = "refold run counter --batch 10, synchronous FULL"
  static let operation = "action"
  static let counts = Counts(usual: 40_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: 10, in: folder)
  }
}

/// See `Batch1000Benchmark`.
struct Batch1Benchmark: Benchmark {
  static let name = "batch-1"
  static let summary = "refold run counter --batch 1, synchronous FULL"
  static let operation = "action"
  static let counts = Counts(usual: 4_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try CounterRun.variants(count, batch: 1, in: folder)
  }
}
