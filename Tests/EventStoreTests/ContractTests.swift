import EventStoreCore
import EventStoreSQLite
import EventStoreTesting
import Testing

@Suite("Every store keeps the contract")
struct ContractTests {
  @Test("in memory", arguments: StoreContract.checks)
  func in_memory(_ check: StoreContract.Check) throws {
    try check.run { InMemoryEventStore() }
  }

  @Test("in SQLite", arguments: StoreContract.checks)
  func in_SQLite(_ check: StoreContract.Check) throws {
    let folder = try TemporaryFolder()
    try check.run { try folder.store() }
  }
}
