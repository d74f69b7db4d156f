import Foundation

/// `refold-bench`: how fast Refold is, beside what can be had at most.
@main
enum Bench {
  /// Every benchmark.
  @MainActor static let all: [any Benchmark.Type] = [
    LoopBenchmark.self, StateBenchmark.self, RunBenchmark.self, FoldBenchmark.self,
    SeekBenchmark.self, OpenBenchmark.self,
  ]

  @MainActor
  static func main() async {
    do {
      let arguments = try Arguments(CommandLine.arguments.dropFirst())
      if arguments.asksForHelp { return print(help) }
      try await run(arguments)
    } catch {
      complain("refold-bench: \(error)")
      if case BenchError.usage = error { exit(64) }
      exit(1)
    }
  }

  @MainActor
  private static func run(_ arguments: Arguments) async throws {
    #if DEBUG
      complain("built without optimization: use swift run -c release refold-bench")
    #endif
    let chosen = all.filter { type in arguments.filter.map { type.name.contains($0) } ?? true }
    if chosen.isEmpty {
      throw BenchError.usage("no benchmark is called \"\(arguments.filter ?? "")\"")
    }
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    for type in chosen {
      let report = try await measure(type, arguments, in: folder)
      print(arguments.isJSON ? try report.json() : report.text)
      fflush(nil)
    }
  }

  @MainActor
  private static func measure(
    _ type: any Benchmark.Type, _ arguments: Arguments, in folder: TemporaryFolder
  ) async throws -> Report {
    let showsProgress = isatty(STDERR_FILENO) == 1
    let progress = { (words: String) in
      if showsProgress { write("\r\u{1B}[K\(type.name): \(words)") }
    }
    defer { if showsProgress { write("\r\u{1B}[K") } }
    progress("preparing")
    let benchmark = try await type.init(count: arguments.count, in: folder)
    let variants = benchmark.variants.filter { variant in
      arguments.variant.map { variant.name == $0 } ?? true
    }
    if variants.isEmpty {
      throw BenchError.usage("\(type.name) has no variant \"\(arguments.variant ?? "")\"")
    }
    return Report(type, try await Rounds(arguments.rounds, of: variants, progress: progress))
  }

  private static func complain(_ words: String) { write(words + "\n") }

  private static func write(_ words: String) {
    FileHandle.standardError.write(Data(words.utf8))
  }

  @MainActor private static var help: String {
    """
    usage: refold-bench [--filter NAME] [--variant NAME] [--rounds N] [--count N] [--json]

    \(all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))

      --filter NAME   only benchmarks with NAME in their name
      --variant NAME  only the variant called NAME, for a profile of it
      --rounds N      how often each variant is measured, in turn with the others (default 5)
      --count N       how many operations a measurement has (default 1000000)
      --json          one JSON object a benchmark, on one line each
    Stores are made in $TMPDIR: where that is not a disk, durability costs nothing and figures say
    nothing.
    """
  }
}
