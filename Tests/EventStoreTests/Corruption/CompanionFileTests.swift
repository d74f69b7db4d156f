import EventStoreCore
import EventStoreTesting
import Foundation
import Testing

@testable import EventStoreSQLite

/// The files beside a store are gone, old, or those of another one.
@Suite("A file beside a store")
struct CompanionFileTests {
  @Test func that_is_its_shm_or_its_lock_may_be_gone() throws {
    let original = try SmallStore.inUse()
    for suffix in ["-shm", "-lock"] {
      var store = original
      store.files[suffix] = nil
      let folder = try TemporaryFolder()
      try store.write(to: folder)
      #expect(try Judgement.of(folder, original.content) == .harmless)
      try store.write(to: folder)
      let all = Set(original.content.ownEvents)
      #expect(try RecoveryJudgement(folder, original.content, intact: all).isWhole)
    }
  }

  @Test func that_is_its_wal_takes_the_newest_commits_with_it_and_no_others() throws {
    let original = try SmallStore.inUse()
    var store = original
    store.files["-wal"] = nil
    let folder = try TemporaryFolder()
    try store.write(to: folder)
    #expect(try Judgement.of(folder, original.content) == .cut)
    try store.write(to: folder)
    let recovered = try RecoveryJudgement(folder, original.content, intact: [])
    #expect(recovered.inStore > 20 && recovered.aside == 0)
    Figures.note("Corruption", "without the -wal", [("events recovered", recovered.inStore)])
  }

  @Test func that_is_an_old_wal_is_found_or_cuts_the_end() throws {
    let folder = try TemporaryFolder()
    let original = try SmallStore.inUse()
    try original.write(to: folder)
    // Goes on, and puts everything into the file; then the -wal of before comes back.
    let store = try folder.store()
    for session in try store.sessions() {
      let end = try store.tail(of: session.id).version
      try store.append(EventBatch(actions: 9, after: end), to: session.id)
    }
    let content = try SmallStore.Content(of: store)
    try store.close()
    let file = Array(try Data(contentsOf: URL(fileURLWithPath: folder.file())))
    var stale = original
    stale.files[""] = file
    stale.files["-shm"] = nil
    try stale.write(to: folder)
    #expect(try Judgement.of(folder, content) != .harmless)
    try stale.write(to: folder)
    // What the newer pages had is brought out from behind the old ones.
    let recovered = try RecoveryJudgement(folder, content, intact: [])
    #expect(recovered.inStore + recovered.aside >= original.content.ownEvents.count)
  }

  @Test func that_is_the_wal_of_another_store_is_found_by_verify_or_by_a_digest() throws {
    let folder = try TemporaryFolder()
    let original = try SmallStore.closed()
    var mixed = original
    let other = try SmallStore.inUse(reactor: "other")
    mixed.files["-wal"] = other.files["-wal"]
    mixed.files["-shm"] = nil
    try mixed.write(to: folder)
    let judgement = try Judgement.of(folder, original.content, mayBeAnother: true)
    #expect(judgement != .harmless)
    try mixed.write(to: folder)
    // Whatever comes out, the digests prove it.
    let store = InMemoryEventStore()
    let recovery = try StoreRecovery(of: folder.file(), reactors: []) { _ in nil }
    try recovery.run(into: store, bringAside: { _ in }, report: { _ in })
    var findings: [VerifyFinding] = []
    try store.verify(nil) { findings.append($0) }
    #expect(findings == [])
  }
}
