import EventStoreTesting
import Foundation
import JSONTree
import Refold
import Testing

@Suite struct DecodingTests {
  private let codec = EventCodec()

  private func decode<T: Decodable>(_ type: T.Type, _ text: String) throws -> T {
    try codec.decode(type, from: Array(text.utf8))
  }

  private func message<T: Decodable>(_ type: T.Type, _ text: String) -> String {
    do throws(CodecError) {
      return "\(try codec.decode(type, from: Array(text.utf8)))"
    } catch {
      return error.description
    }
  }

  private struct Item: Codable, Equatable {
    var id: Int
    var title: String?
    var weight = 1.5
  }

  @Test func a_log_is_read_leniently() throws {
    let text = #"{"id":1,"new":[{}],"weight":2,"id":3,"\u0069d":4,"title":null}"#
    #expect(try decode(Item.self, text) == Item(id: 4, title: nil, weight: 2))
    let many = "{" + (0..<40).map { #""k\#($0 % 20)":\#($0)"# }.joined(separator: ",") + "}"
    let dictionary = try decode([String: Int].self, many)
    #expect(dictionary == Dictionary(uniqueKeysWithValues: (0..<20).map { ("k\($0)", $0 + 20) }))
  }

  @Test func integers_are_exact_or_refused() throws {
    #expect(try decode([Int8].self, "[-128,127,1.0,1e2,-0]") == [-128, 127, 1, 100, 0])
    #expect(try decode(UInt64.self, "18446744073709551615") == .max)
    #expect(try decode(Int64.self, "-9223372036854775808") == .min)
    #expect(try decode(Int64.self, "-9223372036854775.808e3") == .min)
    #expect(try decode(Int128.self, "-170141183460469231731687303715884105728") == .min)
    #expect(try decode(UInt128.self, "340282366920938463463374607431768211455") == .max)
    #expect(try decode(UInt128.self, "34028236692093846346337460743176821145e1") == .max / 10 * 10)
  }

  @Test(arguments: [
    ("128", "expected an integer that fits Int8, found 128"),
    ("-129", "expected an integer that fits Int8, found -129"),
    ("1.5", "expected an integer, found 1.5"),
    ("1e400000000", "expected an integer that fits Int8, found 1e400000000"),
    ("1e-1", "expected an integer, found 1e-1"),
    ("\"1\"", #"expected an integer that fits Int8, found the string "1""#),
    ("true", "expected an integer that fits Int8, found true"),
    ("null", "expected an integer that fits Int8, found null"),
    ("[]", "expected an integer that fits Int8, found an array"),
  ])
  func a_number_that_does_not_fit_is_shown(_ text: String, _ error: String) {
    #expect(message(Int8.self, text) == error)
  }

  @Test func unsigned_integers_refuse_a_sign() {
    #expect(message(UInt.self, "-1") == "expected an integer that fits UInt, found -1")
    #expect(message(UInt64.self, "18446744073709551616").hasPrefix("expected an integer that fits"))
    #expect(message(UInt128.self, "-1") == "expected an integer that fits UInt128, found -1")
    #expect(message(Int64.self, "-9223372036854775809").hasPrefix("expected an integer that fits"))
    #expect(message(Int64.self, "-18446744073709551615").hasPrefix("expected an integer that fits"))
    #expect(
      message(UInt128.self, "340282366920938463463374607431768211456")
        .hasPrefix("expected an integer that fits"))
  }

  @Test func doubles_are_the_nearest_and_finite() throws {
    #expect(
      try decode([Double].self, "[0.1,1e23,1e-400,2,5e-324]") == [
        0.1, 1e23, 0, 2, .leastNonzeroMagnitude,
      ])
    #expect(try decode(Double.self, "-0").sign == .minus)
    // Halfway between two Floats, and a little above: by way of Double it would round down.
    #expect(try decode(Float.self, "1.00000005960464477540") == Float(1).nextUp)
    #expect(message(Double.self, "1e400") == "expected a number that fits Double, found 1e400")
    #expect(message(Float.self, "1e39") == "expected a number that fits Float, found 1e39")
  }

  @Test func doubles_come_back_bit_for_bit() throws {
    var random = SeededGenerator(seed: 21)
    for _ in 0..<20_000 {
      let value = Double(bitPattern: random.next())
      guard value.isFinite else { continue }
      let found = try codec.decode(Double.self, from: codec.encode(value))
      #expect(found.bitPattern == value.bitPattern)
      let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
      guard float.isFinite else { continue }
      #expect(
        try codec.decode(Float.self, from: codec.encode(float)).bitPattern == float.bitPattern)
    }
  }

  @Test func strings_keep_every_scalar() throws {
    for text in [
      "", "\u{0}", "e\u{301}", "\u{E9}", "\u{2028}", "😀\"\\", String(repeating: "ä", count: 999),
    ] {
      #expect(
        try Array(codec.decode(String.self, from: codec.encode(text)).utf8) == Array(text.utf8))
    }
    #expect(try decode(String.self, #""\ud83d\ude00\u0000""#) == "😀\u{0}")
  }

  @Test(arguments: [
    (#"{"title":"x"}"#, #"missing key "id", found the key "title""#),
    (#"{"id":"x"}"#, #"at /id: expected an integer that fits Int, found the string "x""#),
    (#"{"id":1,"title":7,"weight":1}"#, "at /title: expected a string, found 7"),
    (#"{"id":1,"weight":[]}"#, "at /weight: expected a number that fits Double, found an array"),
    ("[]", "expected an object, found an array"),
    ("null", "expected an object, found null"),
    ("{", "not JSON: expected a key or '}', found the end of the text at byte 1"),
  ])
  func a_failure_says_where_and_what_was_expected(_ text: String, _ error: String) {
    #expect(message(Item.self, text) == error)
  }

  @Test func places_are_pointers() {
    #expect(
      message([String: [Item?]].self, #"{"a/b":[null,{"id":1.5}]}"#)
        == "at /a~1b/1/id: expected an integer, found 1.5")
  }

  @Test func dates_data_urls_and_decimals_are_read() throws {
    let date = try decode(Date.self, #""2026-11-30T10:15:00.5+02:00""#)
    #expect(date == Date(timeIntervalSince1970: 1_796_026_500.5))
    #expect(try decode(Data.self, #""AQL/""#) == Data([1, 2, 255]))
    #expect(
      try decode([URL?].self, #"["https://a.example/b",null]"#) == [
        URL(string: "https://a.example/b"), nil,
      ])
    #expect(
      try decode(Decimal.self, "12345678901234567890.0123456789")
        == Decimal(string: "12345678901234567890.0123456789"))
    #expect(
      message(Decimal.self, "1e400") == "expected a number that fits Decimal exactly, found 1e400")
    #expect(
      message(Decimal.self, "1.0000000000000000000000000000000000000000000001").hasPrefix(
        "expected a number that fits"))
    #expect(
      message(Date.self, #""tomorrow""#)
        == #"expected a date such as "2026-11-30T08:15:00.5Z", found the string "tomorrow""#)
    #expect(message(Data.self, #""!""#) == #"expected base64, found the string "!""#)
    #expect(message(URL.self, "1") == "expected a URL as a string, found 1")
  }

  @Test func an_enum_names_the_keys_that_are_no_case() {
    enum Action: Codable { case a, b }
    #expect(
      message([Action].self, "[{}]")
        == "at /0: expected an object with the name of one case as its only key, found an object without keys"
    )
    #expect(message(Action.self, #"{"a":{},"b":{}}"#).hasSuffix(#"found the keys "a", "b""#))
    do throws(CodecError) {
      _ = try codec.decode(Action.self, from: Array(#"{"c":{}}"#.utf8))
    } catch {
      #expect(error.kind == .unknownCase(["c"]))
    }
  }

  @Test func the_refusal_of_a_type_is_told_with_its_place() {
    struct Even: Decodable {
      struct Odd: Error, CustomStringConvertible { let description = "odd" }
      init(from decoder: any Decoder) throws {
        if try decoder.singleValueContainer().decode(Int.self) % 2 == 1 { throw Odd() }
      }
    }
    enum Color: String, Codable { case red }
    #expect(message([String: [Even]].self, #"{"a":[2,3]}"#) == "at /a/1: odd")
    #expect(
      message([Color].self, #"["red","blue"]"#)
        == "at /1: Cannot initialize Color from invalid String value blue")
  }

  @Test func an_array_that_is_too_short_says_how_long_it_is() {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        #expect(list.count == 1)
        _ = try list.decode(Int.self)
        _ = try list.decode(Int.self)
      }
    }
    #expect(
      message([Pair].self, "[[1]]") == "at /0: expected another element, found only 1")
  }

  @Test func an_element_that_failed_is_read_again() throws {
    struct Either: Decodable, Equatable {
      var values: [String] = []
      init(_ values: [String]) { self.values = values }
      init(from decoder: any Decoder) throws {
        var list = try decoder.unkeyedContainer()
        while !list.isAtEnd {
          if let number = try? list.decode(Int.self) {
            values.append("\(number)")
          } else if try !list.decodeNil() {
            values.append(try list.decode(String.self))
          }
        }
      }
    }
    #expect(try decode(Either.self, #"[1,"a",null,2]"#) == Either(["1", "a", "2"]))
  }

  @Test func trying_one_decoding_after_another_stays_linear() throws {
    struct Either: Decodable {
      init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if (try? container.decode(Int.self)) == nil { _ = try container.decode(String.self) }
      }
    }
    let text = "[" + Array(repeating: #""a""#, count: 20_000).joined(separator: ",") + "]"
    #expect(try decode([Either].self, text).count == 20_000)
    #expect(message([Either].self, text.dropLast() + ",null]").hasPrefix("at /20000: expected a s"))
  }

  @Test func errors_are_decoding_errors_to_the_types_that_meet_them() throws {
    struct Forgiving: Decodable {
      var reason = ""
      enum Key: CodingKey { case a, missing }
      init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        do { _ = try container.decode(Int.self, forKey: .a) } catch DecodingError.typeMismatch {
          reason += "type "
        }
        do { _ = try container.decode(Int.self, forKey: .missing) } catch DecodingError.keyNotFound
        {
          reason += "key"
        }
      }
    }
    #expect(try decode(Forgiving.self, #"{"a":"x"}"#).reason == "type key")
  }

  @Test func the_path_of_an_element_ends_with_its_index() throws {
    struct Paths: Decodable {
      let path: [String]
      init(from decoder: any Decoder) throws {
        path = decoder.codingPath.map(\.stringValue)
      }
    }
    let found = try decode([String: [Paths]].self, #"{"a":[1,2]}"#)
    #expect(found["a"]?.last?.path == ["a", "Index 1"])
  }
}
