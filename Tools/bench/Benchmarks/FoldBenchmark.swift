import BenchReport
import EventStoreSQLite
import Refold
import SampleReactors

/// From the log to a state, without any snapshot: what replay comes down to.
struct FoldBenchmark: Benchmark {
  static let name = "fold"
  static let summary =
    "the state at the end of a log in SQLite, an action for each mutation, no snapshots"
  static let operation = "mutation"
  private static let subject = "TimeMachine.state"

  let variants: [Variant]
  let budgets: [Budget] = [.rate(Self.subject, atLeast: 1_000_000)]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let path = folder.path("fold.sqlite")
    try await CounterLog.record(count, at: path)
    try Limit.forgetSnapshots(path)
    let value = CounterLog.value(after: count)
    variants = [
      Variant(name: Self.subject, count: count) {
        let (state, sample) = try Folding.state(of: CounterReactor(), in: path)
        guard state.value == value else {
          throw BenchError.wrongResult("the state is \(state.value), expected \(value)")
        }
        return sample
      },
      Folding.scan(path, count: count, rows: 2 * count, budget: 0.4),
    ]
  }
}

/// A whole document from its keystrokes.
struct PaperFoldBenchmark: Benchmark {
  static let name = "fold-paper"
  static let summary = "a whole paper from the log of its keystrokes, no snapshots"
  static let operation = "paper"
  static let counts = Counts(usual: Paper.edits)
  private static let subject = "TimeMachine.state"

  let variants: [Variant]
  let budgets: [Budget] = [.time(Self.subject, atMost: 1)]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let paper = try Paper(count, in: folder)
    let template = folder.path("template.sqlite")
    try CounterLog.makeStore(at: template, reactor: EditorReactor.name)
    let path = try RunScenario(
      reactor: "editor", input: paper.input, count: paper.count, folder: folder,
      template: template
    ).record(as: "paper.sqlite")
    try Limit.forgetSnapshots(path)
    variants = [
      Variant(name: Self.subject, count: 1) {
        let (state, sample) = try Folding.state(of: EditorReactor(), in: path)
        try paper.check(state)
        return sample
      },
      Folding.scan(path, count: 1, rows: 2 * paper.count),
    ]
  }
}

/// Reading a whole log.
@MainActor
enum Folding {
  /// The state at the end of "s1" in the store at `path`, which is opened for it.
  static func state<R: Reactor>(of reactor: R, in path: String) throws -> (R.State, Sample) {
    let watch = Stopwatch()
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    let machine = try TimeMachine(reactor, session: "s1", in: store)
    let state = try machine.state(at: machine.lastSeq)
    try store.close()
    return (state, watch.stop())
  }

  /// A C program that steps over the same rows.
  static func scan(_ path: String, count: Int, rows: Int, budget: Double? = nil) -> Variant {
    Variant(name: "C, rows and bytes", count: count, budget: budget) {
      let watch = Stopwatch()
      let log = try Limit.scan(path)
      let sample = watch.stop()
      guard log.rows == rows else {
        throw BenchError.wrongResult("the log has \(log.rows) events, expected \(rows)")
      }
      return sample
    }
  }
}
