import Foundation
import Testing

/// Each folder of Samples is a session of the reactor that it is named after, up to the first dot:
/// `actions.ndjson` is piped into `refold run`, one action after the other, with the words of
/// `arguments`, if there are any; `log.ndjson` is what the log must then hold, without its times.
/// `REFOLD_UPDATE_GOLDEN=1 Tools/test` writes the logs anew; look at the diff then.
@Suite("Transcripts of the samples")
struct SampleTranscriptTests {
  static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().appendingPathComponent("Samples")

  static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test(arguments: names) func the_log_is_the_golden_one(_ name: String) async throws {
    let shell = try Shell()
    let folder = Self.folder.appendingPathComponent(name)
    let reactor = String(name.prefix { $0 != "." })
    let input = try Data(contentsOf: folder.appendingPathComponent("actions.ndjson"))
    let words = try? String(contentsOf: folder.appendingPathComponent("arguments"), encoding: .utf8)
    // With the same key, secrets have the same digests every time.
    try shell.write(String(repeating: "k", count: 32), to: "refold.sqlite-key")
    let run = try await shell.refold(
      ["run", reactor, "--session", "s", "--sequential", "--emit", "states"]
        + (words ?? "").split { $0.isWhitespace }.map(String.init), input: Array(input))
    #expect(run.code == 0, "\(run.error)")
    #expect(run.error == "")

    let log = try await shell.refold("log", "s", "--json")
    let golden = log.lines.map(Self.timeless).joined(separator: "\n") + "\n"
    try Golden.expect(golden, matches: "../Samples/\(name)/log.ndjson")
    try await expectTheSameStates(shell, live: run)
  }

  /// The states that the live run printed are those that the log folds into.
  private func expectTheSameStates(_ shell: Shell, live: Shell.Result) async throws {
    let folded = Set(try await shell.refold("export", "s", "--as", "states").lines)
    for line in live.lines where !folded.contains(line) {
      Issue.record("the live state is not the fold's: \(line)")
    }
    #expect(try await shell.refold("verify").code == 0)
  }

  /// A line of the log without its time, and without the process that ran its effect.
  static func timeless(_ line: String) -> String {
    line.replacing(#/"at":"[^"]*",/#, with: "").replacing(#/"owner":\d+/#, with: "\"owner\":0")
  }
}
