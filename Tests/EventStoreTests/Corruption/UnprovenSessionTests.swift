import EventStoreCore
import EventStoreTesting
import Testing

@testable import EventStoreSQLite

@Suite("Recovering a session that nothing proves")
struct UnprovenSessionTests {
  private let folder: TemporaryFolder
  private let store = InMemoryEventStore()

  init() throws {
    folder = try TemporaryFolder()
    try SampleStore.make(in: folder)
  }

  private func recover() throws -> [RecoveredSession] {
    var sessions: [RecoveredSession] = []
    try StoreRecovery(of: folder.file(), reactors: []) { _ in nil }
      .run(into: store, bringAside: { _ in }, report: { sessions.append($0) })
    return sessions
  }

  private var names: [String] {
    get throws { try store.sessions().map(\.name.rawValue) }
  }

  @Test func keeps_one_without_events_whose_row_is_whole() throws {
    let sessions = try recover()
    #expect(sessions.map(\.isWhole) == [true, true, true, true])
    #expect(try names == ["s1", "s2", "s3", "s4"])
    #expect(sessions.last?.events == 0)
  }

  @Test func makes_none_where_neither_a_name_nor_an_event_is_sure() throws {
    let raw = try RawDatabase(folder.file())
    try raw.dropTriggers()
    try raw.run("UPDATE sessions SET name = 'x' || name")
    // Without the rows as they were before.
    try raw.run("PRAGMA wal_checkpoint(TRUNCATE)")
    let sessions = try recover()
    // Those with events of their own are proven by these.
    #expect(try names == ["xs1", "xs2"])
    #expect(sessions.map(\.isInStore) == [true, true, false, false])
    #expect(sessions.map(\.events) == [8, 7, 0, 0])
    for session in sessions {
      #expect(!session.isWhole)
      let isSaid = session.notes.contains {
        $0.hasPrefix("nothing of it is proven, not even its name")
      }
      #expect(isSaid == !session.isInStore, "\(session.notes)")
    }
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    #expect(findings == [])
  }
}
