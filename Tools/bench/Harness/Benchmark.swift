import BenchReport

// So that a benchmark needs no import for what it throws and asks for.
typealias BenchError = BenchReport.BenchError
typealias Budget = BenchReport.Budget

/// One question about speed, asked of several variants in turn.
///
/// A benchmark is a file below `Benchmarks`; `Bench.all` lists it.
@MainActor
protocol Benchmark {
  /// What `--filter` calls it.
  static var name: String { get }
  /// What is measured, in one line.
  static var summary: String { get }
  /// What is counted: "action", "mutation".
  static var operation: String { get }
  /// How many operations a round has.
  static var counts: Counts { get }
  /// So many rounds say all that there is to say. One has no round before it that warms up.
  static var mostRounds: Int { get }

  /// Makes ready what its rounds share.
  ///
  /// - Parameter count: how many operations a round has; of what has sizes, the largest.
  init(count: Int, in folder: TemporaryFolder) async throws

  /// What is measured, the subject first: the others are what it is compared with.
  var variants: [Variant] { get }
  /// What is asked of the figures, beside what variants ask for.
  var budgets: [Budget] { get }
}

extension Benchmark {
  static var counts: Counts { Counts(usual: 1_000_000) }
  static var mostRounds: Int { .max }
  var budgets: [Budget] { [] }
}

/// How many operations a benchmark's rounds have.
struct Counts {
  /// Without a word about it.
  var usual: Int
  /// With `--large`; nil where more would say nothing more.
  var large: Int?

  /// What `arguments` ask for.
  func chosen(_ arguments: Arguments) -> Int {
    arguments.count ?? (arguments.isLarge ? large : nil) ?? usual
  }

  /// 10,000, 100,000, 1,000,000 and so on, up to `largest`.
  static func sizes(upTo largest: Int) -> [Int] {
    var sizes: [Int] = []
    var size = 10_000
    while size < largest { (sizes, size) = (sizes + [size], size * 10) }
    return sizes + [largest]
  }
}

/// One way of doing a benchmark's operation.
struct Variant {
  let name: String
  /// How many operations a sample has.
  let count: Int
  /// The least speed of the subject that is asked for, as a share of this variant's; nil for none.
  var budget: Double?
  /// Does it once, checks what came out, and says what it took.
  let sample: @MainActor () async throws -> Sample
}

extension Variant {
  /// Something that cannot be measured here: its speed is a figure of its own, from elsewhere.
  ///
  /// - Parameter budget: as `Variant.budget`.
  static func constant(
    _ name: String, count: Int, perSecond rate: Double, budget: Double? = nil
  ) -> Variant {
    Variant(name: name, count: count, budget: budget) { Sample(seconds: Double(count) / rate) }
  }
}

/// What one run of a variant took.
struct Sample {
  /// The time of what is measured, preparations and checks left out.
  var seconds: Double
  /// The time of processors in that, of all threads: what else the machine does is not in it. Nil
  /// where nothing was measured.
  var processorSeconds: Double?
  /// Heap allocations in that time, where they were counted.
  var allocations: Int?
  /// The most memory that a process of its own had, in bytes.
  var residentBytes: Int?
  /// The tasks that a session started.
  var tasks: Int?
  /// How long the file is that came out, once it is closed.
  var fileBytes: Int?
  /// How long all payloads in it are.
  var payloadBytes: Int?
}
