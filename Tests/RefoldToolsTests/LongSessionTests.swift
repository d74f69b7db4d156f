import EventStoreCore
import EventStoreSQLite
import Foundation
import Testing

@Suite("A long session", .timeLimit(.minutes(5)))
struct LongSessionTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func snapshots(_ path: String) throws -> [Seq] {
    let store = try SQLiteEventStore(path: path, options: .init(access: .readOnly))
    defer { try? store.close() }
    let info = try #require(try store.session(named: SessionName("s1")))
    return try store.snapshots(of: info.id).map(\.seq)
  }

  private func value(at position: String, in store: String) async throws -> Int? {
    let export = try await shell.refold("export", "s1", "--at", position, "--store", store)
    return (try export.object()["state"] as? [String: Any])?["value"] as? Int
  }

  @Test func is_opened_and_gone_through_by_snapshots_wherever_it_lies() async throws {
    let count = 4500
    try await shell.refold(
      "run", "counter", "--session", "s1", "--emit", "none",
      input: (1...count).map { "{\"increase\":{\"by\":\($0)}}\n" }.joined())
    #expect(try snapshots(shell.store).count >= 2, "while it ran, and on closing")
    try await shell.refold("export", "s1", "--as", "log", "-o", shell.path("s1.log"))
    let copy = shell.path("copy.sqlite")
    try await shell.refold("import", shell.path("s1.log"), "--store", copy)
    #expect(try !snapshots(copy).isEmpty, "an import leaves some")
    for store in [shell.store, copy] {
      for mutations in [1, 2047, 2048, 2049, 4096, 4400, count] {
        let found = try await value(at: "\(2 * mutations)", in: store)
        #expect(found == mutations * (mutations + 1) / 2, "at \(mutations) of \(store)")
      }
      let run = try await shell.refold(
        "run", "counter", "--session", "s1", "--emit", "states", "--store", store,
        input: "{\"increase\":{\"by\":1}}\n")
      let state = try run.object()["state"] as? [String: Any]
      #expect(state?["value"] as? Int == count * (count + 1) / 2 + 1)
      #expect(try await shell.refold("verify", "--store", store).code == 0)
      #expect(try await shell.refold("check", "--store", store).code == 0)
    }
  }
}
