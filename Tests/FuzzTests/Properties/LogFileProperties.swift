import EventStoreCore
import EventStoreTesting
import Refold

/// A log file is refused with its line, or it is a log: every event in order, the digest right.
///
/// A mutation cannot guess a digest: `@` for one stands for the right one.
enum LogFileProperties {
  static func check(_ input: [UInt8]) throws {
    let lines = input.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
    let digest = Chain()
    let first = Result { try read(lines, noting: digest) }
    if case .success(let summary)? = try outcome(first, input) {
      try require(summary.events == digest.count, "\(summary.events) events, \(digest.count) given")
    }
    guard let chain = digest.chain, case .failure = first else { return }
    let right = Array("\"\(chain.digest)\"".utf8)
    let repaired = lines.map { line -> [UInt8] in
      guard let place = firstPlace(of: Array(#""digest":"@""#.utf8), in: line) else { return line }
      return line[..<place] + Array(#""digest":"#.utf8) + right + line[(place + 12)...]
    }
    let again = Chain()
    guard let result = try outcome(Result { try read(repaired, noting: again) }, input) else {
      return
    }
    if case .success(let summary) = result {
      try require(summary.digest == chain.digest, "a digest that was not computed is taken")
      try require(summary.events == again.count, "events are missing")
      try importLog(repaired)
    }
  }

  /// What is read of a log is what a store takes, or refuses whole.
  private static func importLog(_ lines: [[UInt8]]) throws {
    let store = InMemoryEventStore()
    do {
      try store.transaction { transaction in
        var rest = lines[...]
        var reader = try LogFileReader(name: "log") { rest.popFirst() }
        let info = try transaction.createSession(
          named: SessionName("s"), reactor: reader.header.reactor, at: reader.header.created)
        var version = Version.zero
        let summary = try reader.readEvents { event, schema in
          var batch = EventBatch()
          batch.append(event)
          version = try transaction.append(
            batch, to: info.id, expecting: version, schemaVersion: schema
          ).lastSeq
        }
        try require(
          try transaction.tail(of: info.id).digest == summary.digest,
          "the digest changes on the way")
      }
    } catch is EventStoreError {
      try require(try store.sessions().isEmpty, "a part of a log was imported")
    }
  }

  private static func read(_ lines: [[UInt8]], noting chain: Chain) throws -> LogFileReader.Summary
  {
    var rest = lines[...]
    var reader = try LogFileReader(name: "log") { rest.popFirst() }
    chain.chain = LogDigest(reactor: reader.header.reactor)
    return try reader.readEvents { event, _ in
      chain.chain?.append(event)
      chain.count += 1
      try require(
        event.header.seq == Seq(UInt32(chain.count)), "event \(chain.count) is \(event.header.seq)")
    }
  }

  /// The result, where it failed as a log may: with its line and a reason.
  private static func outcome(
    _ result: Result<LogFileReader.Summary, any Error>, _ input: [UInt8]
  ) throws -> Result<LogFileReader.Summary, any Error>? {
    switch result {
    case .success: return result
    case .failure(let error as LogFileError):
      try requireMessage("\(error)", for: input)
      return nil
    case .failure(let error as BrokenPromise): throw error
    case .failure(let error):
      throw BrokenPromise("an error without a line: \(error), for \(shown(input))")
    }
  }

  private static func firstPlace(of word: [UInt8], in line: [UInt8]) -> Int? {
    guard line.count >= word.count else { return nil }
    return (0...line.count - word.count).first { line[$0..<$0 + word.count].elementsEqual(word) }
  }

  private final class Chain {
    var chain: LogDigest?
    var count = 0
  }
}
