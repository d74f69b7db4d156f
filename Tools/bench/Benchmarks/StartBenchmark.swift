import BenchReport

/// How long a command takes to come to its first word.
struct StartBenchmark: Benchmark {
  static let name = "start"
  static let summary = "a process from its start to its end"
  static let operation = "process"
  static let counts = Counts(usual: 40)
  private static let refold = "refold --version"
  private static let own = "a tool of one's own --version"
  private static let foundation = "empty, the imports of such a tool"
  private static let networking = "empty, the same and FoundationNetworking"
  private static let imports = ["Foundation", "Dispatch", "Synchronization"]

  let variants: [Variant]
  let budgets: [Budget] = [
    .slowdown(Self.refold, atMost: 1.2, of: Self.networking),
    .slowdown(Self.own, atMost: 1.2, of: Self.foundation),
  ]

  init(count: Int, in folder: TemporaryFolder) async throws {
    let programs = [
      (Self.refold, try ChildProcess.neighbour("refold"), ["--version"]),
      (Self.networking, try Self.empty(Self.imports + ["FoundationNetworking"], in: folder), []),
      // Without the samples over HTTP, as tools are that people make.
      (Self.own, try ChildProcess.neighbour("refold-bench-work"), ["--version"]),
      (Self.foundation, try Self.empty(Self.imports, in: folder), []),
    ]
    variants = programs.map { name, program, arguments in
      Variant(name: name, count: count) {
        try ChildProcess.median(of: count, program, arguments)
      }
    }
  }

  /// A program that imports `modules` and SQLite, and does nothing.
  private static func empty(_ modules: [String], in folder: TemporaryFolder) throws -> String {
    guard let compiler = ChildProcess.onPath("swiftc") else {
      throw BenchError.missing(path: "swiftc", remedy: "Put the Swift toolchain on the PATH.")
    }
    let program = folder.path("empty-\(modules.count)")
    try modules.map { "import \($0)\n" }.joined()
      .write(toFile: program + ".swift", atomically: false, encoding: .utf8)
    try ChildProcess.run(
      compiler,
      ["-O", program + ".swift", "-o", program, "-Xlinker", "--no-as-needed", "-lsqlite3"])
    return program
  }
}
