import BenchReport
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

  /// Does `operation` `count` times, and takes the median of their times for the time of each: for
  /// what some take much longer over than others.
  static func median(of count: Int, _ operation: (Int) throws -> Void) throws -> Sample {
    let clock = ContinuousClock()
    let watch = Stopwatch()
    var times: [Double] = []
    for index in 0..<count {
      let start = clock.now
      try operation(index)
      times.append((clock.now - start) / .seconds(1))
    }
    var sample = watch.stop()
    sample.seconds = (Spread(times)?.median ?? 0) * Double(count)
    return sample
  }

  /// What all threads of this process have used so far.
  private static var processorSeconds: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
