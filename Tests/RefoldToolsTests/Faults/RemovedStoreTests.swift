import EventStoreTesting
import Foundation
import Testing

@Suite("A store that is taken away from a run", .timeLimit(.minutes(5)))
struct RemovedStoreTests {
  struct Removal: Sendable, CustomTestStringConvertible {
    let script: String
    /// The file that the error names, and where the store is found again; nil where it is gone.
    let named: String
    let place: String?
    var testDescription: String { script }
  }

  static let removals = [
    Removal(script: "rm refold.sqlite*", named: "refold.sqlite", place: nil),
    Removal(script: "rm refold.sqlite", named: "refold.sqlite", place: nil),
    Removal(script: "rm refold.sqlite-wal", named: "refold.sqlite-wal", place: "refold.sqlite"),
    Removal(script: "rm refold.sqlite-shm", named: "refold.sqlite-shm", place: "refold.sqlite"),
    Removal(
      script: "mkdir away; mv refold.sqlite* away", named: "refold.sqlite",
      place: "away/refold.sqlite"),
    Removal(
      script: "mkdir away; cp refold.sqlite* away; mv other.sqlite refold.sqlite",
      named: "refold.sqlite", place: "away/refold.sqlite"),
    Removal(
      script: "mkdir away; cp refold.sqlite* away; : > refold.sqlite", named: "refold.sqlite",
      place: "away/refold.sqlite"),
  ]

  @Test(arguments: removals)
  func ends_it_before_anything_more_is_acknowledged(_ removal: Removal) async throws {
    let shell = try Shell()
    try await shell.bash("echo '\"reset\"' | refold run counter --store other.sqlite --session s")
    let run = try LiveRun(shell, ["run", "counter", "--session", "s", "--emit", "acks"])
    for _ in 0..<3 { try run.send("{\"increase\":{\"by\":1}}\n") }
    await run.waitForLines(3)
    #expect(try await shell.bash(removal.script).code == 0)
    try run.send("{\"increase\":{\"by\":1}}\n")
    try run.endInput()
    #expect(await run.wait() == 74)
    #expect(run.output.count == 3, "\(run.output)")
    let error = run.errorText()
    #expect(
      error.contains("\(removal.named) was removed or replaced while it was open"), "\(error)")
    Figures.note(
      "Environment", "under a run: \(removal.script)",
      [("acknowledged before", 3), ("acknowledged behind it", run.output.count - 3)])
    guard let place = removal.place else { return }
    let store = ["--store", shell.path(place)]
    let state = try await shell.refold(["export", "s"] + store).object()["state"] as? [String: Int]
    #expect(try #require(state?["value"]) >= 3)
    let again = try await shell.refold(
      ["run", "counter", "--session", "s", "--emit", "none"] + store, input: Array("\"reset\"".utf8)
    )
    #expect(again.code == 0, "\(again.error)")
    #expect(try await shell.refold(["verify"] + store).code == 0)
    if removal.script.contains("mv other.sqlite") {
      #expect(try await shell.refold("export", "s").object()["seq"] as? Int == 1, "the other store")
    }
  }
}
