import BenchReport
import Foundation

/// `refold-bench`: how fast Refold is, beside what can be had at most.
@main
enum Bench {
  /// Every benchmark, in the order in which they run.
  @MainActor static let all: [any Benchmark.Type] =
    [
      CodecBenchmark.self, LoopBenchmark.self, StateBenchmark.self,
      RunBenchmark.self, NormalRunBenchmark.self,
      BatchBenchmark<1000>.self, BatchBenchmark<100>.self, BatchBenchmark<10>.self,
      BatchBenchmark<1>.self,
      EmitBenchmark.self, EditorBenchmark.self, HomeBenchmark.self,
      FoldBenchmark.self, PaperFoldBenchmark.self, SeekBenchmark.self, OpenBenchmark.self,
      StartBenchmark.self, MemoryBenchmark.self,
    ] + (Python.interpreter == nil ? [] : python)

  @MainActor private static let python: [any Benchmark.Type] = [
    PythonOneBenchmark.self, PythonThousandBenchmark.self, PythonLoadBenchmark.self,
  ]

  @MainActor
  static func main() async {
    do {
      try await perform(Arguments(CommandLine.arguments.dropFirst()))
    } catch {
      complain("refold-bench: \(error)")
      if case BenchError.usage = error { exit(64) }
      exit(1)
    }
  }

  @MainActor
  private static func perform(_ arguments: Arguments) async throws {
    let names = arguments.choose(from: all.map { $0.name })
    let chosen = all.filter { names.contains($0.name) }
    if chosen.isEmpty {
      throw BenchError.usage(
        "no benchmark is called \"\(arguments.filters.joined(separator: " "))\"")
    }
    switch arguments.task {
    case .help: print(help)
    case .list: print(list(chosen), terminator: "")
    case .measure: try await measure(chosen, arguments)
    case .growth: try await inFolder { try await Growth.measure(arguments, in: $0) }
    case .guardCounts:
      let isKept = try await inFolder { try await Guard.check(in: $0) }
      if !isKept { exit(1) }
    case .updateGuard: try await inFolder { try await Guard.update(in: $0) }
    }
  }

  @MainActor
  private static func inFolder<T>(
    _ body: (TemporaryFolder) async throws -> T
  ) async throws -> T {
    #if DEBUG
      complain("built without optimization: use swift run -c release refold-bench")
    #endif
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await body(folder)
  }

  @MainActor
  private static func measure(
    _ chosen: [any Benchmark.Type], _ arguments: Arguments
  ) async throws {
    try await inFolder { folder in
      var verdicts: [Verdict] = []
      for type in chosen {
        guard let report = try await measure(type, arguments, in: folder) else { continue }
        print(try written(report, arguments.format))
        fflush(nil)
        verdicts += report.verdicts
      }
      guard arguments.format == .text, chosen.count > 1 else { return }
      print(verdicts.map(\.text).joined(separator: "\n"))
    }
  }

  /// Nil where the benchmark cannot run here, which is said.
  @MainActor
  private static func measure(
    _ type: any Benchmark.Type, _ arguments: Arguments, in folder: TemporaryFolder
  ) async throws -> Report? {
    let showsProgress = isatty(STDERR_FILENO) == 1
    let progress = { (words: String) in
      if showsProgress { write("\r\u{1B}[K\(type.name): \(words)") }
    }
    defer { if showsProgress { write("\r\u{1B}[K") } }
    progress("preparing")
    let own = try folder.subfolder(type.name)
    defer { own.remove() }
    let benchmark: any Benchmark
    do {
      benchmark = try await type.init(count: type.counts.chosen(arguments), in: own)
    } catch let absence as SharedData.Absence {
      complain("\(type.name) is left out: \(absence)")
      return nil
    }
    let variants = benchmark.variants.filter { variant in
      arguments.variant.map { variant.name == $0 } ?? true
    }
    if variants.isEmpty {
      throw BenchError.usage("\(type.name) has no variant \"\(arguments.variant ?? "")\"")
    }
    let count = min(arguments.rounds, type.mostRounds)
    let warmsUp = type.mostRounds > 1 && arguments.variant == nil
    let rounds = try await Rounds(count, of: variants, warmsUp: warmsUp, progress: progress)
    return Report(
      benchmark: type.name, summary: type.summary, operation: type.operation, rows: rounds.rows,
      budgets: budgets(of: variants) + benchmark.budgets)
  }

  /// What variants ask of the first one, which is the subject.
  private static func budgets(of variants: [Variant]) -> [Budget] {
    variants.dropFirst().compactMap { variant in
      variant.budget.map { .speed(variants[0].name, atLeast: $0, of: variant.name) }
    }
  }

  private static func written(_ report: Report, _ format: Arguments.Format) throws -> String {
    switch format {
    case .text: report.text
    case .json: try report.json()
    case .markdown: report.markdown
    }
  }

  static func complain(_ words: String) { write(words + "\n") }

  private static func write(_ words: String) {
    FileHandle.standardError.write(Data(words.utf8))
  }

  @MainActor
  private static func list(_ types: [any Benchmark.Type]) -> String {
    let rows = types.map { type in
      [
        type.name, Figures.count(type.counts.usual), type.counts.large.map(Figures.count) ?? "",
        type.summary,
      ]
    }
    return Table([["name", "--count", "--large", "what is measured"]] + rows).text
  }
}
