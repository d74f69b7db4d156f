import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Testing

@testable import RefoldTools

/// However deep input goes, it is refused with the limit, and does not overflow the stack: not that of
/// a secondary thread either.
@Suite("Depth", .timeLimit(.minutes(Trials.minutes(5))))
struct DepthTests {
  /// What a thread has that nobody gave more.
  private static let smallStack = 512 << 10

  private static let count = 100_000

  static let hostile: [(name: String, text: String)] = [
    ("arrays", String(repeating: "[", count: count)),
    ("objects", String(repeating: #"{"a":"#, count: count)),
    ("both", String(repeating: #"[{"a":"#, count: count)),
    (
      "closed arrays",
      String(repeating: "[", count: count) + String(repeating: "]", count: count)
    ),
    ("choices", String(repeating: #"{"next":{"_0":"#, count: count)),
  ]

  @Test("what is too deep names the limit", arguments: hostile.map(\.name))
  func deep(_ name: String) async throws {
    let text = try #require(Self.hostile.first { $0.name == name }).text
    let bytes = Array(text.utf8)
    try await onSmallStack {
      try Self.refused("JSONValue") { try JSONValue(parsing: bytes) }
      try Self.refused("decoding") { try EventCodec().decode(Anything.self, from: bytes) }
      try Self.refused("input") { try EventCodec().decodeInputAction(Choice.self, from: bytes) }
      try Self.refused("a predicate") { try JSONPredicate("/a == \(text)") }
      try Self.refused("an envelope") { try Envelope(Array(#"{"action":\#(text)}"#.utf8)) }
      try Self.refused("a log") {
        let header =
          #"{"refold":"log","format":1,"session":"s","reactor":"r","created":"2026-11-30T08:15:00Z"}"#
        var lines = [Array(header.utf8), Array(#"{"seq":1,"payload":\#(text)}"#.utf8)][...]
        var reader = try LogFileReader(name: "log") { lines.popFirst() }
        return try reader.readEvents { _, _ in }
      }
    }
  }

  /// On the stack that a thread has here: what is not optimised takes far more of it.
  @Test func the_deepest_that_is_accepted_goes_through_everything() async throws {
    let limit = JSONIndex.maximumDepth
    func arrays(_ levels: Int) -> String {
      String(repeating: "[", count: levels) + String(repeating: "]", count: levels)
    }
    func objects(_ levels: Int) -> String {
      String(repeating: #"{"a":"#, count: levels) + "1" + String(repeating: "}", count: levels)
    }
    let texts = [arrays(limit), objects(limit)]
    // A patch holds them some levels down.
    let documents = ["[]", arrays(limit - 4), objects(limit - 4)]
    try await Trials(inSuite: 1, long: 1).run { _ in
      for text in texts {
        for target in ["json", "codec", "text"] {
          try FuzzTarget.named(target)?.check(Array(text.utf8))
        }
      }
      for one in documents {
        for other in documents {
          try FuzzTarget.named("patch")?.check(Array("\(one)\n\(other)".utf8))
        }
      }
    }
  }

  @Test func a_value_that_is_too_deep_is_not_encoded() async throws {
    try await Trials(inSuite: 1, long: 1).run { _ in
      let deep = (0..<10_000).reduce(Choice.plain) { choice, _ in .next(choice) }
      try Self.refused("encoding") { try EventCodec().encode(deep) }
      let wide = (0..<10_000).reduce(Choice.plain) { choice, _ in .more([choice]) }
      try Self.refused("encoding") { try EventCodec().encode(wide) }
    }
  }

  @Test func a_patch_makes_nothing_too_deep_or_endless() async throws {
    try await Trials(inSuite: 1, long: 1).run { _ in
      let deeper = JSONPatch(
        (0..<Self.count).map { _ in .copy(from: JSONPointer(), to: JSONPointer(tokens: ["a"])) })
      try Self.refused("copies") { try deeper.applied(to: ["a": 1]) }
      let nested = JSONPointer(tokens: Array(repeating: "0", count: 511))
      let deepest = Array(
        (String(repeating: "[", count: 512) + String(repeating: "]", count: 512)).utf8)
      let document = try JSONValue(parsing: deepest)
      try Self.refused("adding") {
        try JSONPatch([.add(nested.appending(0), [])]).applied(to: document)
      }
      let doubling = JSONPatch(
        (0..<100).map { _ in .copy(from: JSONPointer(), to: JSONPointer(tokens: ["-"])) })
      try Self.refused("doubling", naming: "1048576 values") { try doubling.applied(to: [1]) }
    }
  }

  @Test func a_long_chain_of_conditions_is_no_deeper_than_a_short_one() async throws {
    try await Trials(inSuite: 1, long: 1).run { _ in
      for word in [" or ", " and "] {
        let text = (0..<5000).map { "/\($0)" }.joined(separator: word)
        let predicate = try JSONPredicate(text)
        try require(predicate.pointers.count == 5000, "\(predicate.pointers.count) places")
        try require(try !predicate.holds(for: ["x": 1]), "holds for nothing")
      }
      try Self.refused("parentheses", naming: "200") {
        try JSONPredicate(String(repeating: "(", count: Self.count))
      }
      try Self.refused("nots", naming: "200") {
        try JSONPredicate(String(repeating: "not ", count: Self.count))
      }
    }
  }

  @Test func a_pointer_of_many_segments_leads_nowhere() async throws {
    try await onSmallStack {
      let pointer = try JSONPointer(String(repeating: "/a", count: Self.count))
      try require(pointer.tokens.count == Self.count, "tokens are missing")
      let document = try JSONValue(parsing: #"{"a":{"a":1}}"#)
      try require(document[pointer] == nil, "there is something")
      let place = "/a/a is a number"
      try Self.refused("a value", naming: place) { try document.value(at: pointer) }
      try Self.refused("a patch", naming: "512") {
        try JSONPatch([.add(pointer, 1)]).applied(to: document)
      }
    }
  }
}

extension DepthTests {
  /// Runs `body` on a thread with a small stack: where it overflows, this process ends.
  private func onSmallStack(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await withCheckedThrowingContinuation { (ended: CheckedContinuation<Void, any Error>) in
      let thread = Thread { ended.resume(with: Result { try body() }) }
      thread.stackSize = Self.smallStack
      thread.start()
    }
  }

  /// Throws unless `body` throws an error that names the limit.
  private static func refused<T>(
    _ what: String, naming limit: String = "512", _ body: () throws -> T
  ) throws {
    do { _ = try body() } catch {
      let message = "\(error)"
      return try require(
        message.contains(limit) && message.utf8.count < 1000, "\(what): \(message.prefix(400))")
    }
    throw BrokenPromise("\(what) of any depth is accepted")
  }
}
