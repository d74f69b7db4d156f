import EventStoreCore
import EventStoreSQLite
import Foundation
import Testing

@Suite("A check", .timeLimit(.minutes(5)))
struct CheckTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  private func record(_ session: String = "s1") async throws {
    try await shell.refold(
      "run", "counter", "--session", session, "--emit", "none",
      input: "{\"increase\":{\"by\":2}}\n\"reset\"\n{\"increase\":{\"by\":5}}\n")
  }

  /// Puts a snapshot of another build beside the log.
  private func save(_ state: String, at seq: Seq, of name: String = "s1") throws {
    let store = try SQLiteEventStore(path: shell.store)
    defer { try? store.close() }
    let info = try #require(try store.session(named: SessionName(name)))
    try store.save(
      Snapshot(
        seq: seq, foldID: "counter@0123456789abcdef",
        logDigest: store.digest(of: info.id, at: seq), state: Array(state.utf8)), of: info.id)
  }

  @Test func of_the_code_that_recorded_it_finds_nothing() async throws {
    try await record()
    try await record("s2")
    let check = try await shell.refold("check")
    #expect(check.output == "ok: 2 sessions, 12 events, 6 actions, 2 snapshots\n")
    #expect(check.error.isEmpty)
    #expect(check.code == 0)
    let json = try await shell.refold("check", "s2", "s1", "--json")
    #expect(try json.object(0)["session"] as? String == "s2")
    #expect(try json.object(1)["ok"] as? Bool == true)
    #expect(try json.object(1)["snapshots"] as? Int == 1)
  }

  @Test func of_a_reactor_with_effects_and_relays_finds_nothing_either() async throws {
    let run = try await shell.refold(
      "run", "home", "--session", "h", "--set", "user=u1", "--emit", "none",
      input: """
        "fetchPostList"
        {"toggleLike":{"postID":"p1","isLiked":true}}
        {"selectCategory":{"category":"food"}}
        {"searchKeyword":{"keyword":"handmade"}}

        """)
    #expect(run.code == 0, "\(run.error)")
    let check = try await shell.refold("check", "h")
    #expect(check.code == 0, "\(check.output)")
    let again = try await shell.refold("fork", "h", "--at", "0", "--until", "end", "--json")
    let (copy, original) = (try again.object(), try await shell.refold("export", "h").object())
    #expect(copy["differences"] as? Int == 0)
    #expect(copy["digest"] as? String == original["digest"] as? String)
  }

  @Test func names_the_last_snapshot_that_agrees_and_the_first_that_does_not() async throws {
    try await record()
    try save(#"{"value":2}"#, at: 2)
    try save(#"{"value":1}"#, at: 4)
    let check = try await shell.refold("check")
    #expect(check.code == 1)
    #expect(
      check.output == """
        session s1: at event 4 reduce gives another state than build 0123456789ab recorded. At event \
        2 it gives the same as build 0123456789ab
          ~ /value: 1 -> 0

        """)
    let object = try await shell.refold("check", "--json").object()
    #expect(object["ok"] as? Bool == false)
    #expect((object["agreeing"] as? [String: Any])?["seq"] as? Int == 2)
    let found = try #require(object["snapshot"] as? [String: Any])
    #expect(found["seq"] as? Int == 4)
    #expect((found["patch"] as? [[String: Any]])?.first?["value"] as? Int == 0)
  }

  @Test func names_the_first_decision_that_is_another_one_today() async throws {
    let store = try SQLiteEventStore(path: shell.store)
    var batch = EventBatch()
    for (seq, kind, cause, payload) in [
      (1, EventKind.action, 0, #"{"increase":{"by":2}}"#),
      (2, .mutation, 1, #"{"add":{"_0":2}}"#), (3, .action, 0, #"{"increase":{"by":3}}"#),
      (4, .mutation, 3, #"{"add":{"_0":4}}"#),
    ] as [(UInt32, EventKind, UInt32, String)] {
      batch.append(
        EventHeader(
          seq: Seq(seq), kind: kind, cause: Seq(cause), recordedAt: Timestamp(microseconds: 7)),
        payload: Array(payload.utf8))
    }
    try store.transaction { transaction in
      let info = try transaction.createSession(
        named: SessionName("old"), reactor: "counter", at: Timestamp(microseconds: 7))
      try transaction.append(batch, to: info.id, expecting: .zero, schemaVersion: 1)
    }
    try store.close()
    let check = try await shell.refold("check", "old")
    #expect(check.code == 1)
    #expect(
      check.output == """
        session old: event 4 is another mutation today, of action 3, {"increase":{"by":3}}
          ~ /add/_0: 4 -> 3

        """)
    let decision = try #require(
      try await shell.refold("check", "--json").object()["decision"] as? [String: Any])
    #expect(decision["seq"] as? Int == 4)
    #expect(decision["action"] as? Int == 3)
    #expect(decision["what"] as? String == "otherMutation")
  }

  @Test func passes_over_reactors_that_are_not_linked_in_unless_asked_for() async throws {
    try await record()
    let store = try SQLiteEventStore(path: shell.store)
    _ = try store.transaction {
      try $0.createSession(
        named: SessionName("other"), reactor: "cart", at: Timestamp(microseconds: 0))
    }
    try store.close()
    let all = try await shell.refold("check")
    #expect(all.code == 0)
    #expect(all.errorLines == ["session other: skipped, its reactor cart is not linked in"])
    #expect(all.output == "ok: 1 session, 6 events, 3 actions, 1 snapshot\n")
    #expect(try await shell.refold("check", "--json").object(1)["skipped"] as? Bool == true)
    #expect(try await shell.refold("check", "s1", "other").code == 66)
    #expect(try await shell.refold("check", "nobody").code == 66)
  }

  @Test func of_the_store_finds_an_altered_snapshot_of_this_build() async throws {
    try await record()
    #expect(try await shell.refold("verify").code == 0)
    let store = try SQLiteEventStore(path: shell.store)
    let info = try #require(try store.session(named: SessionName("s1")))
    var snapshot = try #require(try store.snapshots(of: info.id).first)
    #expect(snapshot.foldID.hasPrefix("counter@"))
    #expect(snapshot.seq == Seq(6))
    snapshot.state = Array(#"{"value":6}"#.utf8)
    try store.save(snapshot, of: info.id)
    try store.close()
    let verify = try await shell.refold("verify")
    #expect(verify.code == 1)
    #expect(verify.output.hasPrefix("session s1, seq 6: the snapshot that this build made here"))
    #expect(try await shell.refold("verify", "s1", "--json").object()["seq"] as? Int == 6)
  }
}
