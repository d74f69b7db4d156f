import CAllocations

/// What the rounds of one benchmark gave.
struct Rounds {
  /// The samples of one variant, a round each.
  struct Series {
    let variant: Variant
    var samples: [Sample] = []
    /// That of the round before the first, which warms up and in which allocations are counted.
    var counted: Sample?
  }

  /// One a variant, the subject first.
  private(set) var series: [Series]

  /// Runs every variant once a round, one after the other, so that what else the machine does falls
  /// on all of them alike: A B A B.
  @MainActor
  init(_ count: Int, of variants: [Variant], progress: (String) -> Void) async throws {
    series = variants.map { Series(variant: $0) }
    for round in 0...count {
      for index in series.indices {
        let variant = series[index].variant
        progress(round == 0 ? "warming up: \(variant.name)" : "round \(round): \(variant.name)")
        bench_count_allocations(round == 0)
        defer { bench_count_allocations(false) }
        let sample = try await variant.sample()
        if round == 0 {
          series[index].counted = sample
        } else {
          series[index].samples.append(sample)
        }
      }
    }
  }
}

extension Rounds.Series {
  /// Seconds an operation, round by round.
  var times: [Double] { samples.map { $0.seconds / Double(variant.count) } }

  /// Seconds of processors an operation, round by round.
  var processorTimes: [Double] { samples.map { $0.processorSeconds / Double(variant.count) } }

  /// Heap allocations an operation; nil where the work is done by another process.
  var allocations: Double? {
    counted?.allocations.map { Double($0) / Double(variant.count) }
  }

  /// The most memory that the process had in any round.
  var residentBytes: Int? { samples.compactMap(\.residentBytes).max() }

  /// The most tasks that were started in any round.
  var tasks: Int? { samples.compactMap(\.tasks).max() }

  /// How many times as fast as this series `subject` was, round by round.
  func speeds(of subject: Self) -> [Double] {
    zip(times, subject.times).map { $0 / $1 }
  }
}

/// The middle of some values, and how far they lie apart.
struct Spread: Codable {
  let median: Double
  let least: Double
  let most: Double

  /// That of `values`, of which there is at least one.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    // The same place twice where their number is odd.
    median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    (least, most) = (sorted[0], sorted[sorted.count - 1])
  }
}
