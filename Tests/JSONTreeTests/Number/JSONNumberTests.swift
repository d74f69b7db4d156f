import EventStoreTesting
import JSONTree
import Testing

@Suite struct JSONNumberTests {
  private func number(_ text: String) throws -> JSONNumber { try #require(JSONNumber(text)) }

  @Test(arguments: [
    ("1.0", 1), ("1e3", 1000), ("10e-1", 1), ("1.20E+2", 120), ("-0", 0),
    ("0e99999999999999999999", 0),
    ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min), ("-1.5e1", -15),
    ("9223372036854775.807e3", Int64.max), ("100000e-5", 1),
  ])
  func an_integer_is_one_however_it_is_written(_ text: String, _ value: Int64) throws {
    #expect(try number(text).int64 == value)
    #expect(try number(text).isInteger)
  }

  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "1e19", "1e400000000",
    "1e99999999999999999999999999", "123456789012345678901234567890123456789012345678901",
  ])
  func an_integer_that_does_not_fit_is_nil(_ text: String) throws {
    #expect(try number(text).int64 == nil)
    #expect(try number(text).isInteger)
  }

  @Test(arguments: ["1.5", "1e-1", "1.000000000000000005", "1e-99999999999999999999"])
  func a_fraction_is_no_integer(_ text: String) throws {
    #expect(try number(text).int64 == nil)
    #expect(try number(text).uint64 == nil)
    #expect(try !number(text).isInteger)
  }

  @Test func unsigned_integers_reach_to_their_end() throws {
    #expect(try number("18446744073709551615").uint64 == UInt64.max)
    #expect(try number("18446744073709551616").uint64 == nil)
    #expect(try number("-1").uint64 == nil)
    #expect(try number("-0.0").uint64 == 0)
  }

  @Test(arguments: [
    ("0.1", 0.1), ("1e22", 1e22), ("1e23", 1e23), ("123456789012345678", 123_456_789_012_345_680),
    ("1.7976931348623157e308", .greatestFiniteMagnitude), ("5e-324", .leastNonzeroMagnitude),
    ("1e-400", 0), ("0.3", 0.3), ("2.2250738585072014e-308", .leastNormalMagnitude),
    ("9007199254740993", 9_007_199_254_740_992), ("0.000001", 0.000001),
  ])
  func a_double_is_the_nearest(_ text: String, _ value: Double) throws {
    #expect(try number(text).double == value)
    #expect(try number("-" + text).double == -value)
  }

  @Test(arguments: ["1e309", "-1e400", "1e99999999999999999999", "2e308"])
  func a_double_that_is_not_finite_is_nil(_ text: String) throws {
    #expect(try number(text).double == nil)
  }

  @Test func negative_zero_keeps_its_sign_as_a_double() throws {
    #expect(try number("-0").double?.sign == .minus)
    #expect(try number("-0.0").double?.sign == .minus)
    #expect(JSONNumber(-0.0)?.text == "-0")
  }

  @Test func short_decimals_round_as_long_ones_do() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<20_000 {
      let digits = String(random.next() % UInt64(1 + random.below(1_000_000_000_000_000)))
      let text = "\(random.below(1000)).\(digits)"
      #expect(try number(text).double == Double(text))
    }
  }

  @Test(arguments: [
    ("1", "1"), ("1.0", "1"), ("10e-1", "1"), ("-0.0e7", "0"), ("100", "100"), ("1e2", "100"),
    ("0.050", "0.05"), ("12.340", "12.34"), ("-1.5", "-1.5"), ("1e21", "1000000000000000000000"),
    ("1e22", "1e22"), ("15e400000000", "15e400000000"), ("1.5e400000001", "15e400000000"),
    ("1e-30", "1e-30"), ("3.14159265358979323846264338", "3.14159265358979323846264338"),
    ("1.0e1000000000000000000", "1e1000000000000000000"),
    ("10e999999999999999999", "1e1000000000000000000"),
    ("0.1e1000000000000000000", "1e999999999999999999"),
    ("0.01e-999999999999999999", "1e-1000000000000000001"),
    ("100e-1000000000000000001", "1e-999999999999999999"),
    ("10e99999999999999999999", "1e100000000000000000000"),
    ("0.1e100000000000000000000", "1e99999999999999999999"),
  ])
  func equal_values_have_one_canonical_text(_ text: String, _ canonical: String) throws {
    #expect(try number(text).canonicalText == canonical)
    #expect(try number(text) == number(canonical))
    #expect(try number(text).hashValue == number(canonical).hashValue)
    #expect(try number(canonical).canonicalText == canonical)
  }

  @Test func random_shifts_of_a_point_change_nothing() throws {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<5000 {
      let digits = String(1 + random.next() % 1_000_000_000)
      let exponent = random.below(200) - 100
      let plain = try number("\(digits)e\(exponent)")
      let shifted = try number("0.000\(digits)00e\(exponent + 3 + digits.utf8.count)")
      #expect(plain == shifted)
      #expect(plain.canonicalText == shifted.canonicalText)
      #expect(try number(plain.canonicalText) == plain)
    }
  }

  @Test func neighbours_differ() throws {
    #expect(try number("1") != number("1.000000000000000005"))
    #expect(try number("1e400") != number("1e401"))
    #expect(try number("1e400") != number("-1e400"))
    #expect(try number("10000000000000000999") != number("10000000000000001000"))
  }

  @Test(arguments: ["", "01", "+1", ".5", "1.", "1e", "NaN", "Infinity", "0x10", "1 ", " 1", "--1"])
  func what_is_no_number_is_nil(_ text: String) { #expect(JSONNumber(text) == nil) }

  @Test func infinities_and_nan_are_no_json() {
    #expect(JSONNumber(Double.infinity) == nil)
    #expect(JSONNumber(-Double.infinity) == nil)
    #expect(JSONNumber(Double.nan) == nil)
  }
}
