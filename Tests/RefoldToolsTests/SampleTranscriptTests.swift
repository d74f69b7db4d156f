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

  /// None where the folder cannot be read, which `every_reactor_has_one` then reports.
  static let names =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()

  @Test func every_reactor_has_one() async throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let recorded = Set(names.map { String($0.prefix { $0 != "." }) })
    let output = try await Shell().refold("reactors", "--json").output
    let entries = try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [[String: Any]]
    let linked = try #require(entries).compactMap { $0["name"] as? String }
    #expect(linked.count > 5)
    for name in linked {
      #expect(recorded.contains(name), "add a folder Samples/\(name) with its actions.ndjson")
    }
    for name in recorded {
      #expect(linked.contains(name), "Samples/\(name) is of no reactor that is linked")
    }
  }

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
    try await expectTheSameStates(shell, live: run, log: log.lines)
  }

  /// The live run printed states, up to the one that its last mutation led to, and they are those
  /// that the log folds into.
  private func expectTheSameStates(_ shell: Shell, live: Shell.Result, log: [String]) async throws {
    let folded = try await shell.refold("export", "s", "--as", "states").lines
    let isMutation = { (line: String) in line.contains(#""kind":"mutation""#) }
    let mutation = try #require(log.last(where: isMutation).flatMap(Self.seq))
    let last = try #require(live.lines.last)
    #expect(try #require(Self.seq(of: last)) >= mutation)
    for line in live.lines where !folded.contains(line) {
      Issue.record("the live state is not the fold's: \(line)")
    }
    // What follows the last mutation leaves the state as it is.
    #expect(Self.state(of: last) == folded.last.map(Self.state))
    #expect(try await shell.refold("verify").code == 0)
  }

  private static func seq(of line: String) -> Int? {
    line.prefixMatch(of: #/\{"seq":(\d+)/#).flatMap { Int($0.output.1) }
  }

  /// A line without its seq.
  private static func state(of line: String) -> String {
    line.replacing(#/^\{"seq":\d+,/#, with: "")
  }

  /// A line of the log without its time, and without the process that ran its effect.
  static func timeless(_ line: String) -> String {
    line.replacing(#/"at":"[^"]*",/#, with: "").replacing(#/"owner":\d+/#, with: "\"owner\":0")
  }
}
