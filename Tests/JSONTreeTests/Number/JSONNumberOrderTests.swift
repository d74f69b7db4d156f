import JSONTree
import Testing

@Suite struct JSONNumberOrderTests {
  /// Each number is less than the next one.
  static let rising = [
    "-1e99999999999999999999", "-1e400", "-12345678901234567890123", "-9007199254740993",
    "-9007199254740992", "-10.5", "-10.25", "-1", "-0.5", "-1e-400", "0", "1e-99999999999999999999",
    "1e-400", "0.05", "0.5", "0.50000000000000000001", "1", "2", "10", "10.000000000000000001",
    "9007199254740992", "9007199254740993", "18446744073709551616", "1e20", "1.5e20", "1e400",
    "1.1e400", "1e99999999999999999999", "2e99999999999999999999", "1e199999999999999999999",
  ]

  @Test func goes_by_value_whatever_the_size() throws {
    let numbers = try Self.rising.map { try #require(JSONNumber($0)) }
    for (place, one) in numbers.enumerated() {
      for (otherPlace, other) in numbers.enumerated() {
        #expect((one < other) == (place < otherPlace), "\(one) < \(other)")
      }
    }
  }

  @Test(arguments: [("1", "1.0"), ("100", "1e2"), ("-0", "0"), ("2.50", "25e-1"), ("-0.0", "0e9")])
  func does_not_tell_writings_of_one_value_apart(_ one: String, _ other: String) throws {
    let (one, other) = (try #require(JSONNumber(one)), try #require(JSONNumber(other)))
    #expect(!(one < other) && !(other < one))
  }
}
