import Foundation
import Testing

@Suite("The store's file")
struct StoreFileTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  func record(_ actions: Int = 3) async throws {
    try await shell.refold(
      "run", "counter", "--session", "s", "--emit", "none", "--batch", "1",
      input: String(repeating: "{\"increase\":{\"by\":2}}\n", count: actions))
  }

  func sqlite(_ statement: String) async throws -> Shell.Result {
    try await shell.bash("sqlite3 \"$REFOLD_STORE\" \"\(statement)\"")
  }

  static let hasShell = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

  @Test(.enabled(if: hasShell, "sqlite3 is not installed"))
  func refuses_changes_from_the_sqlite3_shell() async throws {
    try await record()
    for statement in [
      "UPDATE events SET payload = '{}' WHERE kind = 1", "DELETE FROM events",
      "UPDATE commits SET last_seq = 1", "DELETE FROM commits",
    ] {
      let result = try await sqlite(statement)
      #expect(result.code != 0, "\(statement)")
      #expect(result.error.contains("append-only"), "\(result.error)")
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test(.enabled(if: hasShell, "sqlite3 is not installed"))
  func can_be_read_in_the_sqlite3_shell() async throws {
    try await record(1)
    let log = try await sqlite("SELECT session, seq, kind, cause, payload FROM log ORDER BY seq")
    #expect(
      log.lines == [#"s|1|action|0|{"increase":{"by":2}}"#, #"s|2|mutation|1|{"add":{"_0":2}}"#])
  }

  @Test(
    .enabled(if: hasShell, "sqlite3 is not installed"),
    arguments: [
      (
        "a payload",
        "UPDATE events SET payload = replace(payload, '2', '3') WHERE id & 0xffffffff = 4"
      ),
      ("the first event", "DELETE FROM events WHERE id & 0xffffffff = 1"),
      ("an event in the middle", "DELETE FROM events WHERE id & 0xffffffff = 3"),
      ("the last event", "DELETE FROM events WHERE id & 0xffffffff = 6"),
      (
        "two events",
        "UPDATE events SET id = -1 WHERE id & 0xffffffff = 2; UPDATE events SET id = id - 2 WHERE id & 0xffffffff = 4; UPDATE events SET id = (1 << 32) + 4 WHERE id = -1"
      ),
      ("a time", "UPDATE events SET recorded_at = recorded_at + 1 WHERE id & 0xffffffff = 5"),
      ("a cause", "UPDATE events SET cause = 3 WHERE id & 0xffffffff = 2"),
    ])
  func tells_the_place_of_what_was_changed(_ what: String, _ change: String) async throws {
    try await record()
    let dropped = try await sqlite(
      "SELECT 'DROP TRIGGER ' || name || ';' FROM sqlite_schema WHERE type = 'trigger'")
    let changed = try await sqlite(
      dropped.output.replacingOccurrences(of: "\n", with: " ") + change)
    #expect(changed.code == 0, "\(changed.error)")
    for arguments in [["verify"], ["verify", "s"]] {
      let verify = try await shell.refold(arguments)
      #expect(verify.code == 1, "\(what): \(verify.output) \(verify.error)")
      #expect(
        verify.lines.contains { $0.hasPrefix("session s, seq ") }, "\(what): \(verify.output)")
    }
  }

  @Test func tells_a_cut_tail_by_the_expected_digest() async throws {
    try await record()
    let digest = try #require(try await shell.refold("export", "s").object()["digest"] as? String)
    #expect(try await shell.refold("verify", "s", "--expect", digest).code == 0)
    try await record(1)
    let verify = try await shell.refold("verify", "s", "--expect", digest)
    #expect(verify.code == 1)
    #expect(verify.output.contains("not the expected"))
  }

  @Test func is_readable_by_its_owner_alone() async throws {
    try await shell.bash("umask 0; echo '\"reset\"' | refold run counter --session s --emit none")
    let mode = try FileManager.default.attributesOfItem(atPath: shell.store)[.posixPermissions]
    #expect(mode as? Int == 0o600)
  }

  @Test func that_is_not_one_is_refused_and_left_alone() async throws {
    let text = String(repeating: "these are my holiday notes\n", count: 100)
    try shell.write(text, to: "refold.sqlite")
    for arguments in [["sessions"], ["run", "counter"], ["verify"]] {
      let result = try await shell.refold(arguments)
      #expect(result.code == 78, "\(arguments): \(result.error)")
      #expect(result.error.contains("refold.sqlite"))
    }
    #expect(try shell.read("refold.sqlite") == Array(text.utf8))
  }

  @Test(.enabled(if: hasShell, "sqlite3 is not installed"))
  func of_somebody_else_or_of_a_newer_version_is_refused() async throws {
    try await shell.bash("sqlite3 other.sqlite 'CREATE TABLE t(x)'")
    let other = try await shell.refold("run", "counter", "--store", shell.path("other.sqlite"))
    #expect(other.code == 78, "\(other.error)")
    try await record()
    _ = try await sqlite("PRAGMA user_version = 99")
    for arguments in [["sessions"], ["run", "counter"]] {
      let newer = try await shell.refold(arguments)
      #expect(newer.code == 78)
      #expect(newer.error.contains("newer"), "\(newer.error)")
    }
  }

  @Test func that_is_not_there_is_said_to_be_missing_and_not_made_by_reading() async throws {
    for arguments in [["sessions"], ["log", "s"], ["export", "s"], ["verify"]] {
      let result = try await shell.refold(arguments)
      #expect(result.code == 66, "\(arguments): \(result.error)")
      #expect(result.error.contains("there is no store at"))
    }
    #expect(!FileManager.default.fileExists(atPath: shell.store))
  }

  @Test func in_a_folder_that_is_not_there_is_refused() async throws {
    let result = try await shell.refold("run", "counter", "--store", shell.path("no/where.sqlite"))
    #expect([66, 69, 74].contains(result.code))
    #expect(result.error.contains("no/where.sqlite"))
  }

  @Test func is_never_written_over_by_other_output() async throws {
    try await record()
    try await shell.bash("ln -s refold.sqlite link; ln refold.sqlite hard")
    let before = try await shell.refold("sessions", "--json").output
    for name in ["refold.sqlite", "link", "hard", "refold.sqlite-wal", "refold.sqlite-lock"] {
      let path = shell.path(name)
      for arguments in [
        ["export", "s", "-o", path], ["run", "counter", "--rejects", path],
        ["run", "counter", "--input", path], ["import", path],
      ] {
        let result = try await shell.refold(arguments)
        #expect(result.code == 64, "\(arguments): \(result.error)")
        #expect(result.error.contains("is a file of the store"), "\(result.error)")
      }
    }
    #expect(try await shell.refold("sessions", "--json").output == before)
    #expect(try await shell.refold("verify").code == 0)
  }

  @Test func in_a_folder_that_may_not_be_written_can_be_read_and_not_run() async throws {
    try await record()
    // Permissions do not bind root, so root becomes nobody for this.
    let result = try await shell.bash(
      #"""
      chmod 644 refold.sqlite; chmod 555 .
      as_nobody() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=65534 --clear-groups "$@"; else "$@"; fi; }
      as_nobody "$REFOLD" --version > /dev/null || { chmod 755 .; exit 99; }
      as_nobody "$REFOLD" export s; echo "export $?"
      as_nobody "$REFOLD" verify; echo "verify $?"
      echo '"reset"' | as_nobody "$REFOLD" run counter --session s; echo "run $?"
      as_nobody "$REFOLD" run counter --store new.sqlite < /dev/null; echo "new $?"
      chmod 755 .; ls
      """#)
    if result.code == 99 { return }
    #expect(result.lines.contains("export 0"), "\(result.output) \(result.error)")
    #expect(result.lines.contains("verify 0"), "\(result.output) \(result.error)")
    #expect(result.lines.contains("run 74"), "\(result.output) \(result.error)")
    #expect(result.lines.contains("new 69"), "\(result.output) \(result.error)")
    #expect(result.error.contains("refold.sqlite cannot be written"))
    #expect(!result.lines.contains("new.sqlite"))
    #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 6)
  }

  @Test func on_a_full_disk_loses_nothing_acknowledged() async throws {
    // A limit on the size of files stands in for a full disk.
    let run = try await shell.bash(
      #"""
      for i in $(seq 20000); do echo '{"increase":{"by":1}}'; done > actions
      (trap '' XFSZ; ulimit -f 400; refold run counter --session s --emit acks < actions > acks)
      code=$?; wc -l < acks; exit $code
      """#)
    #expect(run.code == 74, "\(run.error)")
    let acknowledged = try #require(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    let state = try await shell.refold("export", "s").object()["state"] as? [String: Int]
    #expect(try #require(state?["value"]) >= acknowledged)
    #expect(try await shell.refold("verify").code == 0)
    try await shell.refold("run", "counter", "--session", "s", input: "{\"increase\":{\"by\":1}}")
    #expect(try await shell.refold("verify").code == 0)
  }
}
