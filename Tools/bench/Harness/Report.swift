import Refold

/// What a benchmark gave, as people and as scripts read it.
struct Report: Encodable {
  let benchmark: String
  let summary: String
  let operation: String
  let rounds: Int
  let variants: [Row]

  /// What one variant gave.
  struct Row: Encodable {
    let name: String
    /// Operations a round.
    let count: Int
    let nanoseconds: Spread
    let processorNanoseconds: Spread
    /// How many times as fast the subject is; nil for the subject itself.
    let speedOfSubject: Spread?
    /// What the median of that should be at least.
    let budget: Double?
    let allocations: Double?
    let tasks: Int?
    let residentBytes: Int?
  }

  @MainActor
  init(_ type: any Benchmark.Type, _ rounds: Rounds) {
    benchmark = type.name
    summary = type.summary
    operation = type.operation
    let subject = rounds.series[0]
    self.rounds = subject.samples.count
    variants = rounds.series.enumerated().map { index, series in
      Row(
        name: series.variant.name, count: series.variant.count,
        nanoseconds: Spread(series.times.map { $0 * 1e9 }),
        processorNanoseconds: Spread(series.processorTimes.map { $0 * 1e9 }),
        speedOfSubject: index == 0 ? nil : Spread(series.speeds(of: subject)),
        budget: series.variant.budget, allocations: series.allocations, tasks: series.tasks,
        residentBytes: series.residentBytes)
    }
  }

  /// One JSON object on one line.
  func json() throws -> String { String(decoding: try EventCodec().encode(self), as: UTF8.self) }

  /// A title, and a line a variant.
  var text: String {
    let head = [
      "", "per \(operation)", "operations/s", "processors", "allocations", "tasks", "memory",
      "\(variants[0].name) is so many times as fast",
    ]
    let lines = variants.map { row in
      [
        row.name, Self.timeAndSpread(row.nanoseconds), Self.rate(row.nanoseconds.median),
        Self.time(row.processorNanoseconds.median),
        row.allocations.map { Self.number($0, digits: 1) } ?? "-",
        row.tasks.map { "\($0)" } ?? "-",
        row.residentBytes.map { "\($0 >> 20) MiB" } ?? "-",
        row.speedOfSubject.map { Self.speed($0, budget: row.budget) } ?? "",
      ]
    }
    return "\(benchmark): \(summary), \(rounds) rounds\n" + Self.table([head] + lines)
  }
}

// Writing numbers.
extension Report {
  private static func timeAndSpread(_ spread: Spread) -> String {
    "\(time(spread.median)) (\(time(spread.least))...\(time(spread.most)))"
  }

  private static func time(_ nanoseconds: Double) -> String {
    nanoseconds < 1000
      ? "\(significant(nanoseconds)) ns" : "\(significant(nanoseconds / 1000)) us"
  }

  private static func rate(_ nanoseconds: Double) -> String {
    let rate = 1e9 / nanoseconds
    return rate < 1e6 ? "\(number(rate / 1e3, digits: 0)) k" : "\(significant(rate / 1e6)) M"
  }

  private static func speed(_ spread: Spread, budget: Double?) -> String {
    let text = [spread.median, spread.least, spread.most].map(significant)
    let met = budget.map { budget in
      "; budget \(significant(budget)): \(spread.median >= budget ? "met" : "missed")"
    }
    return "\(text[0]) (\(text[1])...\(text[2]))\(met ?? "")"
  }

  /// Three digits that count.
  private static func significant(_ value: Double) -> String {
    var digits = 2
    var bound = 10.0
    while digits > 0, value >= bound { (digits, bound) = (digits - 1, bound * 10) }
    bound = 1
    while digits < 9, value > 0, value < bound { (digits, bound) = (digits + 1, bound / 10) }
    return number(value, digits: digits)
  }

  private static func number(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = Int((value * scale).rounded())
    if digits == 0 { return "\(scaled)" }
    let fraction = "\(scaled % Int(scale))"
    return "\(scaled / Int(scale))." + String(repeating: "0", count: digits - fraction.count)
      + fraction
  }

  private static func table(_ rows: [[String]]) -> String {
    let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
    return rows.map { row in
      let cells = row.indices.map { column in
        row[column] + String(repeating: " ", count: widths[column] - row[column].count)
      }
      return "  " + cells.joined(separator: "   ").trimmingTrailingSpaces + "\n"
    }.joined()
  }
}

extension String {
  fileprivate var trimmingTrailingSpaces: String {
    String(self[..<(lastIndex { $0 != " " }.map(index(after:)) ?? startIndex)])
  }
}
