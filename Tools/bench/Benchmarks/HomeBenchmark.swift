import BenchReport
import CLimit
import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// A screen with a list of 10,000 posts, of which each action changes one, by an effect.
struct HomeBenchmark: Benchmark {
  static let name = "home"
  static let summary =
    "refold run home --emit none, likes on a list of 10,000 posts, synchronous FULL"
  static let operation = "like"
  static let counts = Counts(usual: 10_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let template = folder.path("template.sqlite")
    let seq = try await HomeList.record(at: template)
    let few = max(1, count / 10)
    // By default as many likes in a commit as there are; and then fewer.
    let batches = [(nil, count), (1000, count), (100, count), (10, few), (1, few)]
    variants = try batches.flatMap { batch, count in
      try Self.pair(batch, count, template, after: seq, in: folder)
    }
  }

  /// `refold run`, and a C program that inserts the rows that it gave in one run of it: which likes
  /// share a commit with the ends of others is different each time.
  private static func pair(
    _ batch: Int?, _ count: Int, _ template: String, after seq: Seq, in folder: TemporaryFolder
  ) throws -> [Variant] {
    let suffix = batch.map { " --batch \($0)" } ?? ""
    let input = folder.path("likes-\(count).ndjson")
    try HomeList.writeLikes(count, to: input)
    let scenario = RunScenario(
      reactor: "home", input: input, count: count, folder: folder, template: template,
      options: ["--set", "user=\(HomeList.user.id)"] + (batch.map { ["--batch", "\($0)"] } ?? []))
    let recorded = try scenario.record(as: "expected.sqlite")
    try HomeList.check(recorded)
    let rows = try LimitRows(of: recorded, after: Int64(seq.rawValue))
    folder.removeStore(recorded)
    let least = Int64(seq.rawValue) + Int64(count)
    let check = { @MainActor (log: limit_log) in
      guard log.rows >= least else {
        throw BenchError.wrongResult("the log has \(log.rows) events, expected \(least) at least")
      }
    }
    return [
      scenario.variant("refold run" + suffix, check: check),
      scenario.variant("C, rows of run" + suffix, check: check) { try rows.insert(into: $0) },
    ]
  }
}
