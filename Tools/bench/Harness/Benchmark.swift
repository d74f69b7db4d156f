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

  /// Makes ready what its rounds share.
  ///
  /// - Parameter count: how many operations a round has.
  init(count: Int, in folder: TemporaryFolder) async throws

  /// What is measured, the subject first: the others are what it is compared with.
  var variants: [Variant] { get }
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

/// What one run of a variant took.
struct Sample {
  /// The time of what is measured, preparations and checks left out.
  var seconds: Double
  /// The time of processors in that, of all threads: what else the machine does is not in it.
  var processorSeconds: Double
  /// Heap allocations in that time, where they were counted.
  var allocations: Int?
  /// The most memory that a process of its own had, in bytes.
  var residentBytes: Int?
  /// The tasks that a session started.
  var tasks: Int?
}
