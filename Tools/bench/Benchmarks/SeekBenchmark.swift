import EventStoreCore
import EventStoreSQLite
import Refold
import SampleReactors

/// The state at a random position: what it takes must not grow with the session.
struct SeekBenchmark: Benchmark {
  static let name = "seek"
  static let summary = "the state at 200 random positions of sessions of the counter, in SQLite"
  static let operation = "seek"
  private static let seeks = 200

  let variants: [Variant]

  /// - Parameter count: how many events the largest session has.
  init(count: Int, in folder: TemporaryFolder) async throws {
    var variants: [Variant] = []
    for events in Self.sizes(upTo: count) {
      let path = folder.path("seek-\(events).sqlite")
      try await CounterSession.record(actions: events / 2, at: path)
      variants.append(
        Variant(name: "of \(events) events", count: Self.seeks) {
          try Self.seek(in: path, events: events)
        })
    }
    self.variants = variants.reversed()
  }

  /// 10,000, 100,000 and so on, up to `largest`.
  private static func sizes(upTo largest: Int) -> [Int] {
    var sizes: [Int] = []
    var size = 10_000
    while size < largest {
      sizes.append(size)
      size *= 10
    }
    return sizes + [largest]
  }

  private static func seek(in path: String, events: Int) throws -> Sample {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    defer { try? store.close() }
    let machine = try TimeMachine(CounterReactor(), session: "s1", in: store)
    // The same places in each round.
    var random = UInt64(events)
    let places = (0..<seeks).map { _ in
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % (events + 1)
    }
    var sum = 0
    let watch = Stopwatch()
    for place in places {
      sum &+= try machine.state(at: .init(UInt32(place))).value
    }
    let sample = watch.stop()
    let values = CounterLog.values(after: places.map { $0 / 2 })
    guard sum == values.reduce(0, &+) else {
      throw BenchError.wrongResult("the states add up to \(sum)")
    }
    return sample
  }
}
