/// What is asked of a benchmark's figures.
package enum Budget: Sendable {
  /// `variant` has at least so many times the speed of `other`.
  case speed(_ variant: String, atLeast: Double, of: String)
  /// An operation of `variant` takes at most so many times what one of `other` does.
  case slowdown(_ variant: String, atMost: Double, of: String)
  /// `variant` does at least so many operations a second.
  case rate(_ variant: String, atLeast: Double)
  /// An operation of `variant` takes at most so many seconds.
  case time(_ variant: String, atMost: Double)
  /// An operation of `variant` takes at most so many seconds more than one of `other`.
  case extraTime(_ variant: String, atMost: Double, over: String)
  /// A process of `variant` has at most so many bytes of memory at a time.
  case memory(_ variant: String, atMost: Int)
  /// It has at most so many times the memory that one of `other` has.
  case memoryGrowth(_ variant: String, atMost: Double, of: String)
}

/// Whether a budget is met.
package struct Verdict: Encodable, Equatable {
  package let benchmark: String
  /// The budget in words.
  package let asked: String
  /// The figure that it is about, in words.
  package let measured: String
  package let isMet: Bool

  /// One line.
  package var text: String {
    "budget \(isMet ? "met   " : "MISSED")  \(benchmark): \(asked). Measured: \(measured)"
  }
}

extension Budget {
  /// Holds it to `report`; nil where that lacks a variant or figure that this is about.
  package func verdict(on report: Report) -> Verdict? {
    switch self {
    case .speed(let name, let least, let other):
      return ratio(report.row(name), report.row(other)).map { ratio in
        verdict(
          report, "\(name) at least \(least) times as fast as \(other)", Figures.ratio(ratio),
          ratio.median >= least)
      }
    case .slowdown(let name, let most, let other):
      return ratio(report.row(other), report.row(name)).map { ratio in
        verdict(
          report, "an operation of \(name) at most \(most) times as long as of \(other)",
          Figures.ratio(ratio), ratio.median <= most)
      }
    case .rate(let name, let least):
      return report.row(name).map { row in
        verdict(
          report, "\(name): at least \(Figures.rate(least)) a second",
          Figures.rate(1 / row.seconds.median), 1 / row.seconds.median >= least)
      }
    case .time(let name, let most):
      return report.row(name).map { row in
        verdict(
          report, "\(name): at most \(Figures.time(seconds: most))",
          Figures.times(seconds: row.seconds), row.seconds.median <= most)
      }
    case .extraTime, .memory, .memoryGrowth: return difference(report)
    }
  }

  private func difference(_ report: Report) -> Verdict? {
    switch self {
    case .extraTime(let name, let most, let other):
      guard let row = report.row(name), let base = report.row(other) else { return nil }
      let extra = row.seconds.median - base.seconds.median
      return verdict(
        report, "\(name): at most \(Figures.time(seconds: most)) on top of \(other)",
        extra <= 0 ? "nothing" : Figures.time(seconds: extra), extra <= most)
    case .memory(let name, let most):
      return report.row(name)?.residentBytes.map { bytes in
        verdict(
          report, "\(name): at most \(Figures.mebibytes(most))", Figures.mebibytes(bytes),
          bytes <= most)
      }
    case .memoryGrowth(let name, let most, let other):
      guard let bytes = report.row(name)?.residentBytes,
        let fewer = report.row(other)?.residentBytes, fewer > 0
      else { return nil }
      return verdict(
        report, "\(name): at most \(most) times the memory of \(other)",
        Figures.significant(Double(bytes) / Double(fewer)),
        Double(bytes) <= most * Double(fewer))
    case .speed, .slowdown, .rate, .time: return nil
    }
  }

  private func verdict(
    _ report: Report, _ asked: String, _ measured: String, _ isMet: Bool
  ) -> Verdict {
    Verdict(benchmark: report.benchmark, asked: asked, measured: measured, isMet: isMet)
  }

  /// How many times as fast `row` is as `other`, round by round where both have as many.
  private func ratio(_ row: Report.Row?, _ other: Report.Row?) -> Spread? {
    guard let row, let other else { return nil }
    return row.speed(beside: other)
  }
}
