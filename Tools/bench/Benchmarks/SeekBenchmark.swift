import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// The state at a random position: what it takes must not grow with the session.
struct SeekBenchmark: Benchmark {
  static let name = "seek"
  static let summary =
    "the state at 200 random positions of sessions of the counter, in SQLite; medians"
  static let operation = "seek"
  static let counts = Counts(usual: 1_000_000, large: 10_000_000)
  private static let seeks = 200

  let variants: [Variant]
  let budgets: [Budget] = [
    .time(Self.name(1_000_000), atMost: 0.005),
    .slowdown(Self.name(10_000_000), atMost: 2, of: Self.name(1_000_000)),
  ]

  /// - Parameter count: how many events the largest session has.
  init(count: Int, in folder: TemporaryFolder) async throws {
    var variants: [Variant] = []
    for events in Counts.sizes(upTo: count) {
      let path = folder.path("seek-\(events).sqlite")
      try await CounterLog.record(events / 2, at: path)
      variants.append(
        Variant(name: Self.name(events), count: Self.seeks) {
          try Self.seek(in: path, actions: events / 2)
        })
    }
    self.variants = variants.reversed()
  }

  private static func name(_ events: Int) -> String { "\(events) events" }

  private static func seek(in path: String, actions: Int) throws -> Sample {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    defer { try? store.close() }
    let machine = try TimeMachine(CounterReactor(), session: "s1", in: store)
    // The same places in each round. An action and its mutation are two events.
    var random = UInt64(actions)
    let places = (0..<seeks).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % (2 * actions + 1)
    }
    var sum = 0
    let sample = try Stopwatch.median(of: seeks) { index in
      sum &+= try machine.state(at: Seq(UInt32(places[index]))).value
    }
    let values = CounterLog.values(after: places.map { $0 / 2 })
    guard sum == values.reduce(0, &+) else {
      throw BenchError.wrongResult("the states add up to \(sum)")
    }
    return sample
  }
}
