import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Testing

/// Small input never takes long, and large input no more than in proportion: what would not is found
/// here by sizes at which its square could not be waited for.
///
/// (Swift seeds its hashes in every process: keys that collide in all of them cannot be made.)
@Suite("Size", .timeLimit(.minutes(Trials.minutes(10))))
struct SizeTests {
  @Test func numbers_of_many_digits_take_no_longer_than_their_text() async throws {
    let digits = String(repeating: "7", count: Self.digits)
    let zeros = String(repeating: "0", count: Self.digits)
    let numbers = [
      digits, "-" + digits, "0." + digits, "0." + zeros + "1", digits + "." + digits,
      "1e999999999", "1e-999999999", "1e" + digits, "-1e-" + digits, "0e" + digits,
      digits + "e-" + digits, "1" + zeros, "1" + zeros + "e-100000", "0.1e" + digits,
    ]
    try await onThread {
      for number in numbers {
        for target in ["json", "codec"] { try check(target, number) }
        try check("patch", "[\(number)]\n[\(digits)]")
        try check("predicate", "/0 < \(digits) or /0 == 1e999999999\n[\(number)]")
      }
    }
  }

  /// `1` and 100,000 zeros with the exponent -100000 is 1, and fits an Int.
  @Test func a_number_counts_by_its_value_however_it_is_written() throws {
    let zeros = String(repeating: "0", count: 100_000)
    #expect(try JSONValue(parsing: "1\(zeros)e-100000") == 1)
    #expect(try EventCodec().decodeInput(Int.self, from: Array("1\(zeros)e-100000".utf8)) == 1)
    let error = #expect(throws: CodecError.self) {
      try EventCodec().decodeInput(Int.self, from: Array("1\(zeros)".utf8))
    }
    #expect(error?.kind == .doesNotFit)
    #expect((error?.description.utf8.count ?? 0) < 1000, "\(error?.description.prefix(200) ?? "")")
  }

  @Test func a_million_escapes_and_a_million_keys_are_read_in_proportion() async throws {
    let escapes = String(repeating: #"\u00e9\n\ud83d\ude00"#, count: Self.many / 3)
    let keys = (0..<Self.many).map { #""\#($0)":\#($0 & 7)"# }.joined(separator: ",")
    try await onThread {
      let codec = EventCodec()
      let text = try codec.decodeInput(String.self, from: Array("\"\(escapes)\"".utf8))
      try require(text.unicodeScalars.count == Self.many / 3 * 3, "scalars are missing")
      let object = Array("{\(keys)}".utf8)
      let members = try codec.decodeInput([String: Int].self, from: object)
      try require(members.count == Self.many, "members are missing")
      let value = try JSONValue(parsing: object, duplicateKeys: .refused)
      try require(value.canonical.count == object.count, "members are missing")
      let changed = try JSONValue(parsing: Array("{\(keys),\"x\":1}".utf8))
      try require(JSONPatch(from: value, to: changed).operations.count == 1, "more than one step")
      let twice = Array("{\(keys),\"7\":1}".utf8)
      do {
        _ = try codec.decodeInput([String: Int].self, from: twice)
        throw BrokenPromise("a duplicate among \(Self.many) keys is taken")
      } catch let error as CodecError {
        try require(error.kind == .duplicateKey("7"), "\(error)")
      }
    }
  }

  private static let digits = Trials.isLong ? 100_000 : 10_000

  private static let many = Trials.isLong ? 1_000_000 : 100_000

  /// Objects whose members stand in another order, on each of 200 levels: compared twice on each, they
  /// would take longer than the world stands.
  @Test func objects_in_another_order_are_compared_once_on_each_level() async throws {
    let levels = 200
    let one =
      String(repeating: #"{"a":"#, count: levels) + "1"
      + String(repeating: #","b":1,"c":2}"#, count: levels)
    let other =
      String(repeating: #"{"a":"#, count: levels) + "1"
      + String(repeating: #","c":2,"b":1}"#, count: levels)
    try await onThread {
      let (left, right) = (try JSONValue(parsing: one), try JSONValue(parsing: other))
      try require(left == right && left.hashValue == right.hashValue, "they differ")
      try require(JSONPatch(from: left, to: right).operations.isEmpty, "they differ")
      try check("patch", one + "\n" + other)
    }
  }

  /// Runs `body` where it may take a while.
  private func onThread(_ body: @escaping @Sendable () throws -> Void) async throws {
    try await Trials(inSuite: 1, long: 1).run { _ in try body() }
  }
}

/// Holds `input` to what the target called `name` promises.
private func check(_ name: String, _ input: String) throws {
  guard let target = FuzzTarget.named(name) else { throw BrokenPromise("no target \(name)") }
  try target.check(Array(input.utf8))
}
