import EventStoreCore
import EventStoreTesting
import Foundation
import Refold
import Synchronization
import Testing

@testable import RefoldTools

/// One bit of an exported log is another. With `--long` every bit is flipped in turn.
@Suite("A damaged log file", .timeLimit(.minutes(Trials.minutes(20))))
struct DamagedLogFileTests {
  @Test func is_refused_or_has_the_events_that_were_exported() async throws {
    let shell = try Shell()
    let input = (1...6).map { #"{"id":"cmd-\#($0)","action":{"increase":{"by":\#($0)}}}"# + "\n" }
    try await shell.refold(
      ["run", "counter", "--session", "s", "--envelope", "--emit", "none"],
      input: Array(input.joined().utf8))
    try await shell.refold("export", "s", "--as", "log", "-o", shell.path("log"))
    let whole = try shell.read("log")
    let original = try #require(try Self.events(of: whole))
    let bits = whole.count * 8
    // Comes to each bit once: the number is prime.
    let step = 7_368_787
    try #require(!bits.isMultiple(of: step))
    let tally = Tally()
    try await Trials(inSuite: 1500, long: bits).run { seed in
      let bit = Int(seed) * step % bits
      var damaged = whole
      damaged[bit / 8] ^= 1 << UInt8(bit % 8)
      guard let events = try Self.events(of: damaged) else { return tally.refused() }
      try require(events == original, "bit \(bit): other events were read")
      tally.passed()
    }
    let (refused, passed) = tally.counts
    #expect(refused > passed)
    Figures.note(
      "Corruption", "bits of an exported log",
      [("refused", refused), ("the same events", passed), ("other events", 0)])
  }

  /// The events of a log file; nil where it is refused.
  private static func events(of bytes: [UInt8]) throws -> [Event]? {
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    do {
      var reader = try LogFileReader(name: "log") { lines.popFirst().map { Array($0) } }
      var events: [Event] = []
      _ = try reader.readEvents { event, _ in events.append(event) }
      return events
    } catch is LogFileError {
      return nil
    }
  }

  private final class Tally: Sendable {
    private let values = Mutex((refused: 0, passed: 0))

    func refused() { values.withLock { $0.refused += 1 } }

    func passed() { values.withLock { $0.passed += 1 } }

    var counts: (refused: Int, passed: Int) { values.withLock { $0 } }
  }
}
