import Foundation

/// What a benchmark gave, as people and as scripts read it.
package struct Report: Encodable {
  package let benchmark: String
  package let summary: String
  package let operation: String
  package let rows: [Row]
  package private(set) var verdicts: [Verdict] = []

  /// What one variant gave.
  package struct Row: Encodable {
    package let name: String
    /// Operations a round.
    package let count: Int
    /// Seconds an operation, and each round's.
    package let seconds: Spread
    package let roundSeconds: [Double]
    /// Those of processors, of all threads; nil for a figure that was not measured here.
    package let processorSeconds: Spread?
    /// How many times as fast the first row's variant is; nil for that itself.
    package private(set) var speedOfSubject: Spread?
    /// Heap allocations an operation, where they were counted.
    package var allocations: Double?
    package var tasks: Int?
    /// The most memory of its process.
    package var residentBytes: Int?
    /// Bytes of the file afterwards an operation, and those of payloads alone.
    package var fileBytes: Double?
    package var payloadBytes: Double?

    /// - Parameters:
    ///   - roundSeconds: seconds an operation, one a round, of which there is one at least.
    ///   - processorSeconds: those of processors; empty where they were not measured.
    package init?(
      name: String, count: Int, roundSeconds: [Double], processorSeconds: [Double] = []
    ) {
      guard let seconds = Spread(roundSeconds) else { return nil }
      self.name = name
      self.count = count
      self.seconds = seconds
      self.roundSeconds = roundSeconds
      self.processorSeconds = Spread(processorSeconds)
    }

    /// How many times as fast this is as `other`: round by round, as neighbours in time share what
    /// else the machine does.
    package func speed(beside other: Row) -> Spread? {
      if roundSeconds.count == other.roundSeconds.count {
        return Spread(zip(other.roundSeconds, roundSeconds).map { $0 / $1 })
      }
      return Spread(roundSeconds.map { other.seconds.median / $0 })
    }

    fileprivate mutating func compare(_ subject: Row) {
      speedOfSubject = subject.speed(beside: self)
    }
  }

  /// The report of `rows`, the subject first, held to `budgets`.
  package init(
    benchmark: String, summary: String, operation: String, rows: [Row], budgets: [Budget] = []
  ) {
    self.benchmark = benchmark
    self.summary = summary
    self.operation = operation
    self.rows = rows.enumerated().map { index, row in
      var row = row
      if index > 0 { row.compare(rows[0]) }
      return row
    }
    verdicts = budgets.compactMap { $0.verdict(on: self) }
  }

  /// The row of the variant `name`.
  package func row(_ name: String) -> Row? { rows.first { $0.name == name } }

  /// One JSON object on one line.
  package func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// A title, a line a variant, and a line a budget.
  package var text: String {
    "\(benchmark): \(summary), \(rounds)\n" + table.text
      + verdicts.map { "  \($0.text)\n" }.joined()
  }

  /// A title, a table, and a list of budgets.
  package var markdown: String {
    "### `\(benchmark)`\n\n\(summary); \(rounds).\n\n"
      + table.markdown
      + (verdicts.isEmpty ? "" : "\n")
      + verdicts.map { verdict in
        "- \(verdict.asked): **\(verdict.measured)**, \(verdict.isMet ? "met" : "missed")\n"
      }.joined()
  }

  private var rounds: String {
    let count = rows.first?.roundSeconds.count ?? 0
    return count == 1 ? "1 round" : "\(count) rounds"
  }

  private var table: Table {
    let head = [
      "", "per \(operation)", "a second", "processors", "allocations", "tasks", "memory",
      "on disk", "payloads", "speed of \(rows.first?.name ?? "") beside it",
    ]
    return Table([head] + rows.map(\.cells))
  }
}

extension Report.Row {
  /// What a table has of it.
  fileprivate var cells: [String] {
    let processors = processorSeconds.map { Figures.time(seconds: $0.median) }
    let bytes = { (bytes: Double) in Figures.significant(bytes) + " B" }
    let times: [String?] = [
      name, Figures.times(seconds: seconds), Figures.rate(1 / seconds.median), processors,
    ]
    let counts: [String?] = [
      allocations.map { Figures.number($0, digits: 1) }, tasks.map { "\($0)" },
      residentBytes.map(Figures.mebibytes), fileBytes.map(bytes), payloadBytes.map(bytes),
      speedOfSubject.map(Figures.ratio),
    ]
    return (times + counts).map { $0 ?? "" }
  }
}
