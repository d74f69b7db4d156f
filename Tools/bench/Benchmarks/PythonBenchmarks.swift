import BenchReport
import Foundation
import SampleReactors

/// Each action durable before the next one, beside Python's eventsourcing over SQLite.
struct PythonOneBenchmark: Benchmark {
  static let name = "python-one"
  static let summary = "one action a commit, synchronous FULL, beside Python's eventsourcing"
  static let operation = "action"
  static let counts = Counts(usual: 2_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try Python.saving(count, batch: 1, in: folder)
  }
}

/// The same in commits of 1,000.
struct PythonThousandBenchmark: Benchmark {
  static let name = "python-thousand"
  static let summary = "1,000 actions a commit, synchronous FULL, beside Python's eventsourcing"
  static let operation = "action"
  static let counts = Counts(usual: 20_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    variants = try Python.saving(count, batch: 1000, in: folder)
  }
}

/// From the log to a state.
struct PythonLoadBenchmark: Benchmark {
  static let name = "python-load"
  static let summary = "the state at the end of a log, no snapshots, beside Python's eventsourcing"
  static let operation = "mutation"
  static let counts = Counts(usual: 20_000)

  let variants: [Variant]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let path = folder.path("fold.sqlite")
    let python = folder.path("python.sqlite")
    try await CounterLog.record(count, at: path)
    try Limit.forgetSnapshots(path)
    _ = try Python.run(["save", python, "\(count)", "1000"], in: folder)
    variants = [
      Variant(name: "TimeMachine.state", count: count) {
        try Folding.state(of: CounterReactor(), in: path).1
      },
      Variant(name: "Python, eventsourcing", count: count) {
        try Python.run(["load", python, "\(count)"], in: folder)
      },
    ]
  }
}

/// A Python that has the package eventsourcing.
@MainActor
enum Python {
  /// Which one: Tools/bench/run --python says so. Nil where it was not asked for.
  static let interpreter = ProcessInfo.processInfo.environment["REFOLD_BENCH_PYTHON"]

  static func saving(_ count: Int, batch: Int, in folder: TemporaryFolder) throws -> [Variant] {
    let refold = try CounterRun.variants(count, batch: batch, in: folder)
    return refold.prefix(1) + [
      Variant(name: "Python, eventsourcing", count: count) {
        let store = folder.path("python.sqlite")
        defer { folder.removeStore(store) }
        var sample = try run(["save", store, "\(count)", "\(batch)"], in: folder)
        sample.fileBytes = TemporaryFolder.bytes(of: store)
        return sample
      }
    ]
  }

  /// Hands `words` to the script, which takes the time itself: that of Python's start is not in it.
  static func run(_ words: [String], in folder: TemporaryFolder) throws -> Sample {
    let output = folder.path("python.json")
    try ChildProcess.run(interpreter ?? "python3", [script] + words, output: output)
    let took = try JSONDecoder().decode(
      Took.self, from: Data(contentsOf: URL(fileURLWithPath: output)))
    return Sample(seconds: took.seconds, processorSeconds: took.processorSeconds)
  }

  private struct Took: Decodable {
    let seconds: Double
    let processorSeconds: Double
  }

  private static let script = URL(fileURLWithPath: #filePath)
    .appendingPathComponent("../../python/counter.py").standardized.path
}
