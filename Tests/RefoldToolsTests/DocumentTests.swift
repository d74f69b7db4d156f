import EventStoreTesting
import Foundation
import Testing

@Suite(
  "The history of a real document",
  .enabled(if: SharedData.isThere, "../shared/data is absent: no real documents to replay"))
struct DocumentTests {
  let shell: Shell

  init() throws { shell = try Shell() }

  @Test(arguments: [
    ("automerge-paper", 519_556, 259_778), ("friendsforever", 52_156, 26_078),
  ])
  func replays_to_exactly_its_text_at_every_position(
    _ name: String, _ events: Int, _ edits: Int
  ) async throws {
    let trace = SharedData.path("\(name).ndjson.gz")
    let run = try await shell.bash(
      "gzip -dc '\(trace)' | refold run editor --session doc --emit none")
    #expect(run.code == 0, "\(run.error)")
    #expect(run.output.isEmpty)
    let final = try await shell.bash("gzip -dc '\(SharedData.path("\(name).final.txt.gz"))'")
    let export = try await shell.refold("export", "doc").object()
    #expect(export["seq"] as? Int == events)
    #expect(text(of: export) == bytes(of: final.output))
    try await compareStates(of: trace, edits: edits)
    #expect(try await shell.refold("verify", "doc").code == 0)
  }

  @Test func a_killed_run_is_continued_with_every_edit_exactly_once() async throws {
    let trace = SharedData.path("friendsforever.ndjson.gz")
    let envelopes = try await shell.bash(
      """
      gzip -dc '\(trace)' | awk '{ print "{\\"id\\":\\"e" NR "\\",\\"action\\":" $0 "}" }' > envelopes
      wc -l < envelopes
      """)
    #expect(envelopes.output.trimmingCharacters(in: .whitespacesAndNewlines) == "26078")
    let killed = try await shell.bash(
      """
      mkfifo acks
      refold() { exec "$REFOLD" "$@"; }
      refold run editor --session doc --envelope --emit acks --input envelopes > acks & pid=$!
      head -9000 acks > seen; kill -9 $pid; wait $pid; wc -l < seen
      """)
    #expect(killed.output.contains("9000"), "\(killed.error)")
    let afterKill = try #require(
      try await shell.refold("export", "doc", "--as", "log").lines.last.map { $0 })
    #expect(!afterKill.contains("\"events\":52156,"), "it was killed too late to show anything")

    let rest = try await shell.bash(
      "refold run editor --session doc --envelope --emit acks --input envelopes | wc -l")
    #expect(rest.output.trimmingCharacters(in: .whitespacesAndNewlines) == "26078", "\(rest.error)")
    let final = try await shell.bash(
      "gzip -dc '\(SharedData.path("friendsforever.final.txt.gz"))'")
    let export = try await shell.refold("export", "doc").object()
    #expect(export["seq"] as? Int == 52_156)
    #expect(text(of: export) == bytes(of: final.output))
  }

  /// Compares the states at 20 random positions with a fold of the trace by Foundation alone.
  private func compareStates(of trace: String, edits: Int) async throws {
    let lines = try await shell.bash("gzip -dc '\(trace)'").output.split(separator: "\n")
    #expect(lines.count == edits)
    let seed = UInt64.random(in: 0 ... .max)
    var random = SeededGenerator(seed: seed)
    let positions = (0..<20).map { _ in Int.random(in: 0...2 * edits, using: &random) }.sorted()
    var (text, applied) = (Data(), 0)
    let decoder = JSONDecoder()
    for position in positions {
      // Each edit is an action and then a mutation.
      while applied < position / 2 {
        try decoder.decode(TraceEdit.self, from: Data(lines[applied].utf8)).apply(to: &text)
        applied += 1
      }
      let export = try await shell.refold("export", "doc", "--at", String(position)).object()
      #expect(self.text(of: export) == bytes(of: text.scalarText), "at \(position), seed \(seed)")
    }
  }

  private func text(of export: [String: Any]) -> [UInt8]? {
    let state = export["state"] as? [String: Any]
    return (state?["text"] as? String).map(bytes)
  }

  /// Compared by bytes: Swift's own comparison takes two normalizations for one text.
  private func bytes(of text: String) -> [UInt8] { Array(text.utf8) }
}
