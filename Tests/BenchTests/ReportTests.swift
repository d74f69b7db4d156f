import BenchReport
import Foundation
import Testing

@Suite("The benchmarks' reports")
struct ReportTests {
  @Test func a_spread_is_the_middle_and_the_ends() throws {
    let odd = try #require(Spread([3, 1, 2]))
    #expect((odd.median, odd.least, odd.most) == (2, 1, 3))
    #expect(Spread([1, 2, 3, 10])?.median == 2.5)
    #expect(Spread([]) == nil)
  }

  @Test func figures_have_three_digits_that_count() {
    #expect(Figures.time(seconds: 0.000_001_734) == "1.73 us")
    #expect(Figures.time(seconds: 5.2e-10) == "0.520 ns")
    #expect(Figures.time(seconds: 0.0129) == "12.9 ms")
    #expect(Figures.time(seconds: 90) == "90.0 s")
    #expect(Figures.rate(578_000) == "578 k")
    #expect(Figures.rate(3_210_000) == "3.21 M")
    #expect(Figures.count(1_000_000) == "1,000,000")
    #expect(Figures.count(-12) == "-12")
    #expect(Figures.mebibytes(33 << 19) == "16.5 MiB")
    #expect(Figures.number(-0.04, digits: 1) == "0.0")
    #expect(Figures.number(-1.25, digits: 1) == "-1.3")
  }

  @Test func ratios_are_taken_round_by_round() throws {
    // Everything slowed down in the second round: the ratio did not.
    let report = try report([1, 10], beside: [2, 20])
    #expect(report.rows[1].speedOfSubject == Spread([2, 2]))
    #expect(report.rows[0].speedOfSubject == nil)
  }

  @Test func a_budget_is_met_or_missed_and_says_by_what() throws {
    let report = try report(
      [1, 1], beside: [0.5, 0.5],
      budgets: [
        .speed("ours", atLeast: 0.5, of: "theirs"), .speed("ours", atLeast: 0.7, of: "theirs"),
        .slowdown("ours", atMost: 2, of: "theirs"), .rate("ours", atLeast: 2),
        .time("ours", atMost: 1), .extraTime("ours", atMost: 0.4, over: "theirs"),
        .memory("ours", atMost: 64 << 20), .memoryGrowth("ours", atMost: 1.2, of: "theirs"),
      ])
    #expect(
      report.verdicts.map(\.isMet) == [true, false, true, false, true, false, true, false])
    #expect(
      report.verdicts[1].text
        == "budget MISSED  sleep: ours at least 0.7 times as fast as theirs. "
        + "Measured: 0.500 (0.500 to 0.500)")
  }

  @Test func a_budget_on_what_was_not_measured_says_nothing() throws {
    let report = try report([1], beside: [1], budgets: [.time("another", atMost: 1)])
    #expect(report.verdicts.isEmpty)
  }

  @Test func empty_columns_are_left_out() throws {
    let table = Table([["", "time", "memory"], ["ours", "1 s", ""], ["theirs", "20 s", ""]])
    #expect(table.text == "           time\n  ours     1 s\n  theirs   20 s\n")
    #expect(table.markdown == "|  | time |\n| --- | --- |\n| ours | 1 s |\n| theirs | 20 s |\n")
  }

  @Test func json_is_one_line_with_the_verdicts() throws {
    let json = try report([1], beside: [2], budgets: [.time("ours", atMost: 1)]).json()
    #expect(!json.contains("\n"))
    let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    #expect(object?["benchmark"] as? String == "sleep")
    #expect((object?["rows"] as? [Any])?.count == 2)
    #expect((object?["verdicts"] as? [[String: Any]])?.first?["isMet"] as? Bool == true)
  }

  private func report(
    _ ours: [Double], beside theirs: [Double], budgets: [Budget] = []
  ) throws -> Report {
    var rows = [
      try #require(Report.Row(name: "ours", count: 10, roundSeconds: ours)),
      try #require(Report.Row(name: "theirs", count: 10, roundSeconds: theirs)),
    ]
    rows[0].residentBytes = 64 << 20
    rows[1].residentBytes = 32 << 20
    return Report(
      benchmark: "sleep", summary: "doing nothing", operation: "nap", rows: rows, budgets: budgets)
  }
}
