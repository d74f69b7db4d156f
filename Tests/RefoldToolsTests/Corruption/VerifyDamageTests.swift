import EventStoreTesting
import Foundation
import Testing

@Suite("verify of a damaged store", .timeLimit(.minutes(10)))
struct VerifyDamageTests {
  let shell: Shell

  /// Two sessions, long enough to lie on several pages.
  init() async throws {
    shell = try Shell()
    // With ids, so that more than one table leads to each event.
    let actions = (1...40).map {
      "{\"id\":\"d\($0)\",\"action\":{\"increase\":{\"by\":\(1000 + $0)}}}\n"
    }.joined()
    for session in ["s1", "s2"] {
      let run = try await shell.refold(
        [
          "run", "counter", "--session", session, "--batch", "1", "--emit", "none",
          "--envelope",
        ],
        input: Array(actions.utf8))
      #expect(run.code == 0, "\(run.error)")
    }
  }

  private static let pageSize = 4096

  private func change(_ name: String, _ body: (inout Data) -> Void) throws {
    var bytes = Data(try shell.read(name))
    body(&bytes)
    try bytes.write(to: URL(fileURLWithPath: shell.path(name)))
  }

  @Test func of_a_file_that_was_cut_short_says_how_many_pages_are_left() async throws {
    let pages = try shell.read("refold.sqlite").count / Self.pageSize
    try change("refold.sqlite") { $0.removeSubrange((3 * Self.pageSize)...) }
    let verify = try await shell.refold("verify")
    #expect(verify.code == 1)
    #expect(Set(verify.lines).count == verify.lines.count, "\(verify.output)")
    #expect(verify.lines.last == "the file has 3 of the \(pages) pages that it says it has")
    #expect(verify.error.contains("refold recover \(shell.store)"))
    let recover = try await shell.refold("recover")
    #expect(recover.code == 1)
    #expect(recover.lines.first?.hasPrefix("session s1: 0 events, none known to be") == true)
    #expect(recover.lines.contains("the file has 3 of the \(pages) pages that it says it has"))
    #expect(recover.lines.last?.contains("2 sessions (2 without events), 0 events") == true)
  }

  @Test func of_a_page_without_content_names_it_and_repeats_nothing() async throws {
    let whole = Data(try shell.read("refold.sqlite"))
    for page in 1..<6 {
      try whole.write(to: URL(fileURLWithPath: shell.store))
      try change("refold.sqlite") { bytes in
        let range = page * Self.pageSize..<(page + 1) * Self.pageSize
        bytes.replaceSubrange(range, with: Data(count: Self.pageSize))
      }
      let verify = try await shell.refold("verify")
      #expect(verify.code == 1)
      #expect(verify.lines.first?.contains("age \(page + 1)") == true, "\(verify.output)")
      #expect(Set(verify.lines).count == verify.lines.count, "\(verify.output)")
      #expect(!verify.output.contains("pages that it says"), "no page is missing")
    }
  }

  @Test func of_a_file_without_its_header_names_recover() async throws {
    try change("refold.sqlite") { $0.replaceSubrange(0..<Self.pageSize, with: Data(count: 4096)) }
    let verify = try await shell.refold("verify")
    #expect(verify.code == 78)
    #expect(
      verify.error.contains("if it was a store, bring out what is intact with: refold recover"))
    try shell.write(String(repeating: "no store ", count: 2000), to: "foreign")
    let recover = try await shell.refold("recover", shell.path("foreign"))
    #expect(recover.code == 78 && !recover.error.contains("refold recover"), "\(recover.error)")
  }

  /// The name of a new store, of a run that was killed, all of which lies in its -wal.
  private func storeInItsWAL() async throws -> String {
    // A kill that comes late finds the -wal written back.
    for attempt in 1...20 {
      let name = "new-\(attempt).sqlite"
      let live = try LiveRun(
        shell,
        [
          "run", "counter", "--session", "s", "--emit", "acks", "--batch", "1", "--store",
          shell.path(name),
        ])
      for _ in 1...3 { try live.send("{\"increase\":{\"by\":1}}\n") }
      await live.waitForLines(3)
      live.signal(SIGKILL)
      _ = await live.wait()
      if try shell.read(name).count == Self.pageSize { return name }
    }
    throw BrokenPromise("no kill left a store in its -wal")
  }

  @Test func of_an_empty_file_and_a_damaged_wal_says_so_and_nothing_writes_over_it() async throws {
    let name = try await storeInItsWAL()
    let (path, store) = (shell.path(name), ["--store", shell.path(name)])
    try change(name + "-wal") { $0.replaceSubrange(500..<508, with: Data("XXXXXXXX".utf8)) }
    let wal = try shell.read(name + "-wal")
    for command in [["verify"], ["sessions"], ["run", "counter", "--session", "s"]] {
      let refused = try await shell.refold(command + store)
      #expect(refused.code == 78, "\(command)")
      #expect(refused.error.contains("it is empty, and its -wal file is damaged"), "\(command)")
      #expect(refused.error.contains("refold recover \(path)"))
      let left = try shell.read(name + "-wal")
      #expect(left == wal, "\(command)")
    }
    let recover = try await shell.refold("recover", path)
    #expect(recover.code == 1)
    #expect(recover.lines.first?.hasPrefix("session s: 6 events, none known to be missing") == true)
    #expect(recover.lines.dropFirst().first == "1 page of \(path)-wal is damaged")
  }
}
