import EventStoreCore
import EventStoreTesting
import Testing

@Suite("After any steps, SQLite holds what the model holds")
struct RandomizedTests {
  @Test(arguments: [1, 2, 3, 5, 8, 13, 21, 34] as [UInt64])
  func steps(seed: UInt64) throws {
    let folder = try TemporaryFolder()
    var comparison = StoreComparison(
      model: InMemoryEventStore(), store: try folder.store(), seed: seed)
    try comparison.run(steps: 100)
  }
}
