import CAllocations
import Foundation

/// Takes the time, the processor time and the allocations of a piece of a sample.
struct Stopwatch {
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant
  private let processorStart = Self.processorSeconds
  private let allocations = bench_allocations()

  /// Starts now.
  init() { start = clock.now }

  /// What it took until now.
  func stop() -> Sample {
    let seconds = (clock.now - start) / .seconds(1)
    let allocations = bench_allocations() - allocations
    return Sample(
      seconds: seconds, processorSeconds: Self.processorSeconds - processorStart,
      allocations: Int(allocations))
  }

  /// What all threads of this process have used so far.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
