import EventStoreCore
import EventStoreTesting
import Testing

@Suite("A store with faults")
struct FaultyEventStoreTests {
  @Test("without faults keeps the contract", arguments: StoreContract.checks)
  func contract(_ check: StoreContract.Check) throws {
    try check.run { FaultyEventStore(InMemoryEventStore()) { _ in nil } }
  }

  @Test("fails before or after a commit, as it is told")
  func before_and_after() throws {
    let error = EventStoreError.diskFull(path: "x")
    let store = FaultyEventStore(InMemoryEventStore()) { call in
      switch (call.operation, call.number) {
      case (.transaction, 2): .before(error)
      case (.transaction, 3): .after(error)
      default: nil
      }
    }
    let session = try store.createSession("s1")
    let batch = EventBatch(actions: 1, after: .zero)
    #expect(throws: error) { try store.append(batch, to: session) }
    #expect(try store.tail(of: session).version == .zero)
    #expect(throws: error) { try store.append(batch, to: session) }
    #expect(try store.tail(of: session).version == Seq(2))
  }

  @Test("repeats its faults for a seed")
  func seeded() throws {
    func outcomes(_ seed: UInt64) throws -> [Bool] {
      let store = FaultyEventStore(InMemoryEventStore(), seed: seed, probability: 0.3)
      return (0..<64).map { _ in (try? store.transaction { _ in }) != nil }
    }
    let first = try outcomes(1)
    #expect(first == (try outcomes(1)))
    #expect(first != (try outcomes(2)))
    #expect(first.contains(true) && first.contains(false))
  }
}
