import CAllocations

/// Takes the time and the allocations of a piece of a sample.
struct Stopwatch {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let allocations = bench_allocations()

  /// Starts now.
  init() { start = clock.now }

  /// What it took until now.
  func stop() -> Sample {
    let seconds = (clock.now - start) / .seconds(1)
    let allocations = bench_allocations() - allocations
    return Sample(seconds: seconds, allocations: Int(allocations))
  }
}
