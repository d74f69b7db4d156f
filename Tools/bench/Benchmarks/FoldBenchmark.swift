import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// From the log to a state: what replay, opening a session and seeking come down to.
struct FoldBenchmark: Benchmark {
  static let name = "fold"
  static let summary = "the state at the end of a log in SQLite, an action for each mutation"
  static let operation = "mutation"

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let path = folder.path("fold.sqlite")
    try await Self.record(count, at: path)
    let value = CounterLog.value(after: count)
    variants = [
      Variant(name: "TimeMachine.state", count: count) { try Self.fold(path, to: value) },
      Variant(name: "C, rows and bytes", count: count, budget: 0.4) {
        let watch = Stopwatch()
        let log = try CounterLog.scan(path)
        let sample = watch.stop()
        guard log.rows == 2 * count else {
          throw BenchError.wrongResult("the log has \(log.rows) events, expected \(2 * count)")
        }
        return sample
      },
    ]
  }

  private static func fold(_ path: String, to value: Int) throws -> Sample {
    let watch = Stopwatch()
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    let machine = try TimeMachine(CounterReactor(), session: "s1", in: store)
    let state = try machine.state(at: machine.lastSeq)
    try store.close()
    let sample = watch.stop()
    guard state.value == value else {
      throw BenchError.wrongResult("the state is \(state.value), expected \(value)")
    }
    return sample
  }

  /// Records `count` actions and their mutations in a store at `path`.
  private static func record(_ count: Int, at path: String) async throws {
    try CounterLog.makeStore(at: path)
    let store = try SQLiteEventStore(path: path, options: .init(synchronous: .normal))
    let session = try Session(
      CounterReactor(), named: SessionName("s1"), in: store, options: SessionOptions())
    for index in 0..<count {
      session.block(until: .room)
      session.submit(
        .increase(by: CounterLog.amount(index)), payload: Array(CounterLog.line(index).utf8)
      ) { _ in }
    }
    try await session.close()
    try store.close()
  }
}
