import Foundation
import Testing

/// What docs/Store.md tells people to do when a store is damaged, done to the letter.
@Suite("Restoring, as the page says", .timeLimit(.minutes(10)))
struct RestoringTests {
  let shell: Shell
  private let page: String

  private static let hasJQ = ["/usr/bin/jq", "/usr/local/bin/jq"].contains {
    FileManager.default.isExecutableFile(atPath: $0)
  }

  init() throws {
    shell = try Shell()
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    page = try String(contentsOf: root.appendingPathComponent("docs/Store.md"), encoding: .utf8)
  }

  private var app: String { shell.path("app.sqlite") }

  /// The indented lines under the heading `title`.
  private func commands(below title: String) throws -> String {
    let parts = page.components(separatedBy: "\n### \(title)\n")
    let part = try #require(parts.count == 2 ? parts[1] : nil, "one heading is \(title)")
    let section = part.components(separatedBy: "\n## ")[0].components(separatedBy: "\n### ")[0]
    let lines = section.split(separator: "\n").filter { $0.hasPrefix("    ") }
    return lines.joined(separator: "\n")
  }

  private func run(_ amounts: ClosedRange<Int>, _ session: String = "s1") async throws {
    let actions = amounts.map { "{\"increase\":{\"by\":\(1000 + $0)}}\n" }.joined()
    let run = try await shell.refold(
      ["run", "counter", "--session", session, "--batch", "1", "--store", app],
      input: Array(actions.utf8))
    #expect(run.code == 0, "\(run.error)")
  }

  /// Three actions, a backup, then some more, of a run that is killed and leaves its -wal.
  /// - Returns: how many events the store has.
  private func killRun() async throws -> Int {
    try await run(1...3)
    let monday = shell.path("monday.sqlite")
    #expect(try await shell.refold("backup", monday, "--store", app).code == 0)
    var events = 6
    // A kill that comes late finds the -wal written back.
    for _ in 1...20 {
      let live = try LiveRun(
        shell, ["run", "counter", "--session", "s1", "--emit", "acks", "--store", app])
      for amount in [1, 1] { try live.send("{\"increase\":{\"by\":\(amount)}}\n") }
      await live.waitForLines(2)
      live.signal(SIGKILL)
      _ = await live.wait()
      events += 4
      if let left = try? shell.read("app.sqlite-wal"), !left.isEmpty { return events }
    }
    Issue.record("no kill left a -wal")
    return events
  }

  @Test func a_backup_after_a_killed_run_gives_the_backup_and_nothing_else() async throws {
    let events = try await killRun()
    let (monday, wal) = (try shell.read("monday.sqlite"), try shell.read("app.sqlite-wal"))
    try shell.write(String(repeating: "k", count: 32), to: "app.sqlite-key")
    let done = try await shell.bash(try commands(below: "Restoring"))
    #expect(done.code == 0, "\(done.output)\(done.error)")
    #expect(done.lines.first?.hasPrefix("app.sqlite: 1 session, 6 events, ") == true)
    #expect(done.lines.last?.hasPrefix("s1       counter       6 ") == true, "\(done.output)")
    let state = try await shell.refold("export", "s1", "--store", app).object()
    #expect((state["state"] as? [String: Any])?["value"] as? Int == 1001 + 1002 + 1003)
    #expect(try await shell.refold("verify", "--store", app).code == 0)
    #expect(try shell.read("monday.sqlite") == monday)
    #expect(try shell.read("old/app.sqlite-wal") == wal)
    #expect(try shell.read("app.sqlite-key").count == 32)
    let old = try await shell.refold(
      "recover", shell.path("old/app.sqlite"), "-o", shell.path("old.sqlite"))
    #expect(old.code == 0)
    #expect(old.lines.first?.hasPrefix("session s1: whole, \(events) events") == true)
    try await run(4...4)
    #expect(try await shell.refold("verify", "--store", app).code == 0)
  }

  @Test func a_backup_is_refused_while_an_old_file_is_in_the_way() async throws {
    _ = try await killRun()
    let restore = "refold backup app.sqlite --store monday.sqlite"
    let there = try await shell.bash(restore)
    #expect(there.code == 65 && there.error.contains("there is a file app.sqlite already"))
    for moved in ["mv app.sqlite kept", "mv app.sqlite-wal wal"] {
      let refused = try await shell.bash("\(moved); \(restore)")
      #expect(refused.code == 65 && refused.error.contains("already"), "\(moved)")
      let forced = try await shell.bash("\(restore) --force")
      #expect(forced.code == 69 && forced.error.contains("move both away"), "\(forced.error)")
    }
    #expect(try await shell.bash("rm app.sqlite-shm; \(restore)").code == 0)
  }

  @Test(.enabled(if: hasJQ, "jq is not installed"))
  func lost_actions_can_be_sent_again_after_recover() async throws {
    try await run(1...6)
    let envelopes = (7...8).map {
      "{\"id\":\"d\($0)\",\"session\":\"s1\",\"action\":{\"increase\":{\"by\":\(1000 + $0)}}}\n"
    }
    let sent = try await shell.refold(
      ["run", "counter", "--envelope", "--batch", "1", "--store", app],
      input: Array(envelopes.joined().utf8))
    #expect(sent.code == 0, "\(sent.error)")
    try await run(1...2, "s2")
    var bytes = Data(try shell.read("app.sqlite"))
    let altered = try #require(bytes.range(of: Data("{\"increase\":{\"by\":1004}}".utf8)))
    bytes.replaceSubrange(altered, with: Data("{\"increase\":{\"by\":9004}}".utf8))
    try bytes.write(to: URL(fileURLWithPath: app))
    let recover = try await shell.bash("refold recover app.sqlite")
    #expect(recover.code == 1, "\(recover.error)")
    let place = try commands(below: "Restoring")
      .replacingOccurrences(of: "monday.sqlite", with: "app-recovered.sqlite")
    #expect(try await shell.bash(place).code == 0)
    let send = try await shell.bash(try commands(below: "After recover"))
    #expect(send.code == 0 && send.error.isEmpty, "\(send.error)")
    let state = try await shell.refold("export", "s1", "--store", app).object()
    let value = (state["state"] as? [String: Any])?["value"] as? Int
    // All but the action that was altered.
    #expect(value == (1...8).map { 1000 + $0 }.reduce(0, +) - 1004)
    let log = try await shell.refold("export", "s1", "--as", "log", "--store", app)
    #expect(log.output.contains("\"id\":\"d7\""))
    #expect(try await shell.refold("verify", "--store", app).code == 0)
  }

  @Test func a_session_whose_name_was_lost_gets_it_again() async throws {
    try await run(1...3)
    var bytes = Data(try shell.read("app.sqlite"))
    let name = try #require(bytes.range(of: Data("s1counter".utf8)))
    bytes.replaceSubrange(name, with: Data("\u{1}1counter".utf8))
    try bytes.write(to: URL(fileURLWithPath: app))
    #expect(try await shell.bash("refold recover app.sqlite").code == 1)
    let command = try #require(page.firstMatch(of: /`(refold export recovered-1 [^`]*)`/)?.output.1)
    let renamed = try await shell.bash("export REFOLD_STORE=app-recovered.sqlite; \(command)")
    #expect(renamed.output.hasPrefix("imported session s1: 6 events"), "\(renamed.error)")
  }
}
