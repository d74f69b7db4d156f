import EventStoreTesting
import Foundation
import Testing

/// Files that somebody made with a tool of his own. Whatever is in one, every command ends, in little
/// memory, with an exit code that stands in the documentation.
@Suite(
  "Hostile stores", .timeLimit(.minutes(Trials.minutes(20))),
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3"),
    "sqlite3 is not installed"))
struct HostileStoreCommandTests {
  private static let endless = "WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x FROM r)"

  /// Each a way to spoil the store; `S` is where its first session's events begin.
  static let changes: [(name: String, sql: String)] = [
    (
      "an endless view for sessions",
      "DROP TABLE sessions; CREATE VIEW sessions AS \(endless) SELECT x AS id, x AS name FROM r"
    ),
    (
      "an endless view for snapshots",
      "DROP TABLE snapshots; CREATE VIEW snapshots AS \(endless) SELECT x AS session, x AS seq FROM r"
    ),
    ("an endless log view", "DROP VIEW log; CREATE VIEW log AS \(endless) SELECT x FROM r"),
    ("a trigger", "CREATE TRIGGER t AFTER INSERT ON events BEGIN DELETE FROM snapshots; END"),
    ("a virtual table", "CREATE VIRTUAL TABLE extra USING fts5(x); INSERT INTO extra VALUES('y')"),
    (
      "a virtual table for events",
      "DROP TABLE events; CREATE VIRTUAL TABLE events USING fts5(id, kind, cause, recorded_at, payload)"
    ),
    (
      "an index that computes",
      "CREATE INDEX slow ON events(length(replace(hex(zeroblob(10000)), '0', payload)))"
    ),
    (
      "a generated column",
      "ALTER TABLE events ADD COLUMN more TEXT AS (hex(zeroblob(100000))) VIRTUAL"
    ),
    (
      "another table for open_effects",
      "DROP TABLE open_effects; CREATE TABLE open_effects(session, cause, seq)"
    ),
    (
      "statistics of nonsense",
      "ANALYZE; UPDATE sqlite_stat1 SET stat = '99999999999999999999 0 -1 x'"
    ),
    ("an unknown format", "PRAGMA user_version = 2147483647"),
    ("a negative format", "PRAGMA user_version = -1"),
    ("format 0", "PRAGMA user_version = 0"),
    ("another application", "PRAGMA application_id = 7"),
    ("another journal", "PRAGMA journal_mode = DELETE"),
    ("its own parent", "UPDATE sessions SET parent = 2, parent_seq = 1 WHERE id = 2"),
    (
      "forks in a circle",
      "UPDATE sessions SET parent = 3 WHERE id = 2; UPDATE sessions SET parent = 2, parent_seq = 1 WHERE id = 3"
    ),
    (
      "a chain of forks",
      "WITH RECURSIVE n(x) AS (SELECT 10 UNION ALL SELECT x + 1 FROM n WHERE x < 3000) INSERT INTO sessions SELECT x, 'f' || x, reactor, created_at, CASE x WHEN 10 THEN 1 ELSE x - 1 END, 0, CAST(substr(digest, 1, 32) AS BLOB), 0 FROM n, sessions WHERE id = 1"
    ),
    (
      "a name of a million letters",
      "UPDATE sessions SET name = printf('%.*c', 1000000, 'n') WHERE id = 1"
    ),
    ("a name that is no text", "UPDATE sessions SET name = CAST(x'ff00' AS TEXT) WHERE id = 1"),
    (
      "a name that acts on a terminal",
      "UPDATE sessions SET name = 's' || char(27) || '[2J' WHERE id = 1"
    ),
    (
      "a reactor that acts on a terminal",
      "UPDATE sessions SET reactor = 'r' || char(27) || '[2J' || char(8238) WHERE id = 1"
    ),
    (
      "a payload that is no text",
      "UPDATE events SET payload = CAST(x'ff00' AS TEXT) WHERE id = S + 1"
    ),
    ("a payload that is no JSON", "UPDATE events SET payload = '{' WHERE id = S + 2"),
    (
      "a payload of 16 MiB",
      "UPDATE events SET payload = printf('\"%.*c\"', 16777216, 'p') WHERE id = S + 2"
    ),
    (
      "a payload that is deep",
      "UPDATE events SET payload = replace(hex(zeroblob(200000)), '0', '[') WHERE id = S + 2"
    ),
    ("an event of another kind", "UPDATE events SET kind = -5 WHERE id = S + 2"),
    (
      "an event at the end of numbers",
      "INSERT INTO events VALUES(9223372036854775807, 1, 0, 0, '1')"
    ),
    ("an event before the first", "INSERT INTO events VALUES(-9223372036854775807, 1, 0, 0, '1')"),
    (
      "times at the end of numbers",
      "UPDATE events SET recorded_at = 9223372036854775807 WHERE id = S + 6"
    ),
    (
      "commits that overlap",
      "UPDATE commits SET first_seq = -9, last_seq = 4294967295 WHERE position = 1"
    ),
    (
      "commits beyond the end",
      "INSERT INTO commits VALUES(9, 1, 100, 4294967295, 1, 0, zeroblob(32))"
    ),
    (
      "a commit at the end of numbers",
      "INSERT INTO commits VALUES(9223372036854775807, 1, 7, 7, 1, 0, zeroblob(32))"
    ),
    ("an owner that cannot be", "UPDATE events SET payload = '{\"owner\":-1}' WHERE kind = 3"),
    (
      "an owner beyond all numbers",
      "UPDATE events SET payload = '{\"owner\":1e400}' WHERE kind = 3"
    ),
    (
      "open effects that are none",
      "INSERT INTO open_effects VALUES(1, 4294967295, 4294967295), (1, -1, -1)"
    ),
    (
      "a state of 16 MiB",
      "UPDATE snapshots SET state = printf('{\"value\":\"%.*c\"}', 16777216, 's')"
    ),
    ("a state that is no JSON", "UPDATE snapshots SET state = CAST(x'ff00' AS TEXT)"),
    (
      "snapshots of everything",
      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 5000) INSERT INTO snapshots SELECT 1, x, 'fold' || x, zeroblob(32), '{}' FROM n"
    ),
    (
      "deliveries that are none",
      "UPDATE deliveries SET seq = -1, delivery_id = char(0), body_digest = x''"
    ),
    ("ten thousand views", "CREATE TABLE n(x)"),
  ]

  static let commands: [[String]] = [
    ["sessions"], ["log", "s"], ["log", "@last", "--json"], ["show", "s", "2"], ["replay", "s"],
    ["replay", "f", "--emit", "states"], ["diff", "s", "0", "end"], ["blame", "s"],
    ["bisect", "s", "/value > 1"], ["search", "s", "add"], ["search", "f", "add", "--state"],
    ["export", "s"], ["export", "f", "--as", "log"], ["export", "s", "--as", "csv"],
    ["export", "s", "--as", "html"], ["fork", "s", "--at", "2", "--session", "n"], ["verify"],
    ["verify", "s"], ["check", "s"], ["run", "counter", "--session", "s"],
    ["run", "counter", "--session", "f", "--drop-interrupted"], ["run", "counter"],
  ]

  private static let documented: Set<Int32> = [0, 1, 64, 65, 66, 69, 74, 78]

  @Test func end_every_command_with_a_documented_code() async throws {
    let shell = try Shell()
    try shell.record("s", Shell.counted)
    try await shell.bash(
      #"""
      refold fork s --at 8 --session f
      echo '{"id":"cmd-1","session":"d","action":"reset"}' | refold run counter --envelope --emit none
      echo '"reset"' | refold run counter --session s --emit none; cp refold.sqlite whole.sqlite
      """#)
    var (ran, refused) = (0, 0)
    for (index, change) in Self.changes.enumerated() {
      try shell.write(Self.script(change.sql), to: "change.sql")
      let made = try await shell.bash(
        "rm -f refold.sqlite*; cp whole.sqlite refold.sqlite; sqlite3 refold.sqlite < change.sql")
      #expect(made.output.contains("changed"), "\(change.name): \(made.error)")
      // In the suite every command meets every fifth store, and every store every fifth command.
      let commands = Self.commands.indices.filter {
        Trials.isLong || ($0 + index).isMultiple(of: 5)
      }
      for command in commands.map({ Self.commands[$0] }) {
        let words = command.map { "'\($0)'" }.joined(separator: " ")
        let result = try await shell.bash(
          "ulimit -v 2000000; echo '\"reset\"' | timeout -s KILL 120 \"$REFOLD\" \(words) --wait 5")
        let story = "\(change.name): refold \(words): \(result.code) \(result.error.prefix(300))"
        #expect(Self.documented.contains(result.code), "\(story)")
        #expect(!result.error.contains("\u{1B}") && !result.error.contains("\u{202E}"), "\(story)")
        if result.code > 1 { #expect(!result.error.isEmpty, "\(story)") }
        ran += 1
        if result.code != 0 { refused += 1 }
      }
    }
    #expect(refused > ran / 5)
    Figures.note(
      "Hostile files", "every command over each",
      [
        ("files", Self.changes.count), ("commands", ran), ("refused or found it", refused),
        ("crashed or hung", 0),
      ])
  }

  /// With the guards of the log taken away, and put back.
  private static func script(_ sql: String) -> String {
    let tables = ["sessions", "events", "commits", "deliveries"]
    let names = tables.flatMap { ["\($0)_refuse_update", "\($0)_refuse_delete"] }
    let views = (0..<10_000).map { "CREATE VIEW v\($0) AS SELECT 1;" }.joined()
    let change = sql == "CREATE TABLE n(x)" ? "BEGIN; \(views) COMMIT" : sql
    return names.map { "DROP TRIGGER \($0);" }.joined()
      + change.replacingOccurrences(of: "S + ", with: "4294967296 + ") + "; SELECT 'changed';\n"
      + zip(names, tables.flatMap { [$0, $0] }).map { name, table in
        let word = name.hasSuffix("update") ? "UPDATE" : "DELETE"
        return """
          CREATE TRIGGER \(name) BEFORE \(word) ON \(table)
          BEGIN SELECT raise(ABORT, 'the log is append-only: \(table) refuses \(word)'); END;

          """
      }.joined()
  }
}
