import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// A long session opened again, and one action sent to it: what it takes must not grow with the
/// session.
struct OpenBenchmark: Benchmark {
  static let name = "open"
  static let summary = "refold run counter on a long session, one action, synchronous FULL"
  static let operation = "run"

  let variants: [Variant]

  /// - Parameter count: how many events the largest session has.
  init(count: Int, in folder: TemporaryFolder) async throws {
    let refold = try ChildProcess.neighbour("refold")
    let input = folder.path("action.ndjson")
    try CounterLog.writeLines(1, to: input)
    var variants: [Variant] = []
    for events in [count, 2] {
      let path = folder.path("open-\(events).sqlite")
      try await CounterSession.record(actions: max(1, events / 2), at: path)
      variants.append(
        Variant(name: "of \(events) events", count: 1) {
          try ChildProcess.run(
            refold,
            ["run", "counter", "--session", "s1", "--input", input, "--emit", "states"]
              + ["--store", path])
        })
    }
    variants.append(
      Variant(name: "--version", count: 1) { try ChildProcess.run(refold, ["--version"]) })
    self.variants = variants
  }
}

/// Sessions of the counter, recorded in this process.
enum CounterSession {
  /// Sends `count` actions to session "s1" of a new store at `path`.
  @MainActor
  static func record(actions count: Int, at path: String) async throws {
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

extension CounterLog {
  /// The counter's value after each of `counts` actions.
  static func values(after counts: [Int]) -> [Int] {
    var values: [Int: Int] = [:]
    var (value, reached) = (0, 0)
    for count in counts.sorted() {
      while reached < count {
        value += amount(reached)
        reached += 1
      }
      values[count] = value
    }
    return counts.map { values[$0] ?? 0 }
  }
}
