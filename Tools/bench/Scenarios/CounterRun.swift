import BenchReport
import CLimit

/// `refold run counter` beside a C program that inserts the same rows in the same transactions, and
/// beside what the disk takes for as many bytes.
@MainActor
enum CounterRun {
  /// - Parameters:
  ///   - batch: the most actions in a commit, for both; nil for Refold's own grouping, beside
  ///     1,000 of the C program.
  ///   - budget: the least share of the C program's speed that is asked for.
  static func variants(
    _ count: Int, batch: Int?, isFull: Bool = true, budget: Double? = nil,
    in folder: TemporaryFolder
  ) throws -> [Variant] {
    var scenario = try RunScenario.counter(count, isFull: isFull, in: folder)
    if let batch { scenario.options = ["--batch", "\(batch)"] }
    let perCommit = batch ?? 1000
    let insert = { @MainActor (store: String) in
      let watch = Stopwatch()
      try Limit.check(limit_insert(store, Int64(count), Int64(perCommit), isFull), "insert")
      return watch.stop()
    }
    let (expected, bytes) = try reference(scenario, insert)
    let groups = (count + perCommit - 1) / perCommit
    let variants = [
      scenario.variant(check: expected.check),
      scenario.variant("C, SQLite only", budget: budget, check: expected.check, insert: insert),
    ]
    guard isFull else { return variants }
    return variants + [
      Variant(name: "C, append and fdatasync", count: count) {
        try Limit.append(bytes, groups: groups, to: folder.path("append"))
      }
    ]
  }

  /// The log that is to come out, and how long the file with it is.
  private static func reference(
    _ scenario: RunScenario, _ insert: (String) throws -> Sample
  ) throws -> (ExpectedLog, bytes: Int) {
    let store = scenario.folder.path("expected.sqlite")
    try scenario.folder.copyStore(scenario.template, to: store)
    defer { scenario.folder.removeStore(store) }
    _ = try insert(store)
    return (try ExpectedLog(store), TemporaryFolder.bytes(of: store))
  }
}
