import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Testing

@Suite struct EncodingTests {
  private let codec = EventCodec()

  private func text(_ value: some Encodable) throws -> String {
    String(decoding: try codec.encode(value), as: UTF8.self)
  }

  private func message(_ value: some Encodable) -> String {
    do throws(CodecError) {
      return String(decoding: try codec.encode(value), as: UTF8.self)
    } catch {
      return error.description
    }
  }

  private enum Action: Codable {
    case increase(by: Int)
    case reset
    case rename(String, to: String?)
  }

  @Test func enums_are_written_as_swift_writes_them() throws {
    #expect(try text(Action.increase(by: -2)) == #"{"increase":{"by":-2}}"#)
    #expect(try text(Action.reset) == #"{"reset":{}}"#)
    #expect(try text(Action.rename("a", to: "b")) == #"{"rename":{"_0":"a","to":"b"}}"#)
    #expect(try text(Action.rename("a", to: nil)) == #"{"rename":{"_0":"a"}}"#)
  }

  private struct Unsorted: Codable {
    var z = 1
    var a = 3
    var b: Int?
    var A = ["é": 3, "y": 1, "x": 2]
    var empty = Empty()
    var none: [Int] = []
  }

  private struct Empty: Codable {}

  @Test func keys_are_sorted_by_their_bytes_and_nil_is_left_out() throws {
    #expect(
      try text(Unsorted()) == #"{"A":{"x":2,"y":1,"é":3},"a":3,"empty":{},"none":[],"z":1}"#)
  }

  @Test func bytes_are_appended_and_left_alone_by_a_failure() throws {
    var bytes = Array("> ".utf8)
    try codec.encode([1], into: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self) == "> [1]")
    #expect(throws: CodecError.self) {
      try codec.encode(["a", "b"].map { _ in 0.0 / 0 }, into: &bytes)
    }
    #expect(String(decoding: bytes, as: UTF8.self) == "> [1]")
  }

  @Test func fragments_are_values() throws {
    #expect(try text(7) == "7")
    #expect(try text("a") == #""a""#)
    #expect(try text(Bool?.none) == "null")
    #expect(try text([Int?.none, 1]) == "[null,1]")
    #expect(try text(UInt64.max) == "18446744073709551615")
    #expect(try text(Int128.min) == "-170141183460469231731687303715884105728")
  }

  @Test func strings_escape_only_what_must_be() throws {
    #expect(
      try text("\u{0}\u{1F}\"\\/\u{7F}\u{2028}é😀") == "\"\\u0000\\u001f\\\"\\\\/\u{7F}\u{2028}é😀\"")
    #expect(try text(["a\"\n": 1]) == #"{"a\"\n":1}"#)
  }

  @Test func doubles_take_their_shortest_digits_and_integral_ones_no_point() throws {
    #expect(
      try text([
        2, -0.0, 0, 0.1, 1e300, Double.leastNonzeroMagnitude, 9_007_199_254_740_992, 1e16, -1e15,
      ])
        == "[2,-0,0,0.1,1e+300,5e-324,9007199254740992,1e+16,-1000000000000000]")
    #expect(try text([Float(0.1), 3, -0.0, 1e10]) == "[0.1,3,-0,1e+10]")
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func a_number_that_json_cannot_write_is_refused(_ value: Double) {
    #expect(message(["a/b": [0, value]]) == "at /a~1b/1: expected a finite number, found \(value)")
    #expect(message(Float(value)) == "expected a finite number, found \(value)")
  }

  @Test func dates_data_urls_and_decimals_have_their_own_form() throws {
    #expect(try text(Date(timeIntervalSince1970: 1_796_026_500.5)) == #""2026-11-30T08:15:00.5Z""#)
    #expect(try text(Data([1, 2, 255])) == #""AQL/""#)
    #expect(try text(URL(string: "https://a.example/b?c=d#e")) == #""https://a.example/b?c=d#e""#)
    #expect(
      try text(Decimal(string: "12345678901234567890.0123456789"))
        == "12345678901234567890.0123456789")
    #expect(message(Decimal.nan) == "expected a finite number, found NaN")
    #expect(
      message([Date(timeIntervalSinceReferenceDate: 1e12)])
        == "at /0: expected a date in the years 0 to 9999, found one 1000000000000.0 seconds after 2001-01-01T00:00:00Z"
    )
  }

  @Test func decimals_come_back_with_all_their_digits() throws {
    var random = SeededGenerator(seed: 23)
    var decimals = [Decimal.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 0]
    decimals += [.leastNonzeroMagnitude, Decimal(sign: .minus, exponent: 127, significand: 7)]
    for _ in 0..<2000 {
      let significand =
        Decimal(random.next()) * Decimal(UInt32.max & UInt32(truncatingIfNeeded: random.next()))
      let exponent = Int.random(in: -100...90, using: &random)
      decimals.append(Decimal(sign: .minus, exponent: exponent, significand: significand))
    }
    for decimal in decimals {
      #expect(try codec.decode(Decimal.self, from: codec.encode(decimal)) == decimal)
    }
  }

  private enum Name: String, Codable, CodingKeyRepresentable { case two, one }
  private struct Point: Codable, Hashable {
    var x: Int
    var y: Int
  }

  @Test func dictionaries_are_objects_where_their_keys_are_strings() throws {
    #expect(try text([10: "a", 9: "b"]) == #"{"10":"a","9":"b"}"#)
    #expect(try text([Name.two: 2, .one: 1]) == #"{"one":1,"two":2}"#)
    #expect(
      try text([Point(x: 2, y: 1): "b", Point(x: 1, y: 2): "a"])
        == #"[{"x":1,"y":2},"a",{"x":2,"y":1},"b"]"#)
  }

  @Test func what_has_no_order_is_sorted_at_every_depth() throws {
    struct Nested: Codable {
      var sets: [Set<Int>]
      var maybe: Set<String>?
      var deep: [String: Set<Set<Int>>]
      var pairs: [Point: Set<Int>]
    }
    let value = Nested(
      sets: [[3, 1, 2], [10, 9]], maybe: ["b", "a"], deep: ["k": [[2, 1], [3], []]],
      pairs: [Point(x: 1, y: 1): [2, 1], Point(x: 0, y: 1): []])
    #expect(
      try text(value) == #"{"deep":{"k":[[1,2],[3],[]]},"maybe":["a","b"],"#
        + #""pairs":[{"x":0,"y":1},[],{"x":1,"y":1},[1,2]],"sets":[[1,2,3],[10,9]]}"#)
    #expect(try text(Set([Set([1, 2]), Set([0])])) == "[[0],[1,2]]")
  }

  @Test func equal_sets_are_equal_bytes_however_they_came_to_be() throws {
    var random = SeededGenerator(seed: 25)
    for round in 0..<100 {
      let words = (0..<50).map { "word\($0 * 7 % 50)" }
      var grown = Set<String>(minimumCapacity: round * 10)
      for word in words.shuffled(using: &random) { grown.insert(word) }
      #expect(try codec.encode(grown) == codec.encode(Set(words)))
      let pairs = Dictionary(
        uniqueKeysWithValues: words.map {
          (Point(x: $0.utf8.count, y: words.firstIndex(of: $0) ?? 0), $0)
        })
      let others = Dictionary(uniqueKeysWithValues: pairs.shuffled(using: &random))
      #expect(try codec.encode(pairs) == codec.encode(others))
    }
  }
}
