import BenchReport
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
  init(
    _ count: Int, of variants: [Variant], warmsUp: Bool, progress: (String) -> Void
  ) async throws {
    series = variants.map { Series(variant: $0) }
    for round in (warmsUp ? 0 : 1)...count {
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

  /// The figures of each variant.
  var rows: [Report.Row] { series.compactMap(\.row) }
}

extension Rounds.Series {
  fileprivate var row: Report.Row? {
    let count = Double(variant.count)
    var row = Report.Row(
      name: variant.name, count: variant.count, roundSeconds: samples.map { $0.seconds / count },
      processorSeconds: samples.compactMap { $0.processorSeconds.map { $0 / count } })
    row?.allocations = counted?.allocations.map { Double($0) / count }
    row?.residentBytes = samples.compactMap(\.residentBytes).max()
    row?.tasks = samples.compactMap(\.tasks).max()
    row?.fileBytes = samples.last?.fileBytes.map { Double($0) / count }
    row?.payloadBytes = samples.last?.payloadBytes.map { Double($0) / count }
    return row
  }
}
