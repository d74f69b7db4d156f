import EventStoreCore
import EventStoreTesting
import Testing

@Suite("The text of a time")
struct TimestampTextTests {
  @Test(
    "has a digit for each microsecond",
    arguments: [
      (0, "1970-01-01T00:00:00.000000Z"), (-1, "1969-12-31T23:59:59.999999Z"),
      (951_782_399_000_001, "2000-02-28T23:59:59.000001Z"),
      (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
      (253_402_300_800_000_000, "10000-01-01T00:00:00.000000Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
      (-62_167_219_200_000_001, "-0001-12-31T23:59:59.999999Z"),
    ])
  func digits(_ microseconds: Int64, _ text: String) {
    let time = Timestamp(microseconds: microseconds)
    #expect(time.description == text)
    #expect(appended(time) == text)
  }

  @Test func appended_is_the_description_and_reads_back() {
    var random = SeededGenerator(seed: 20)
    for _ in 0..<20_000 {
      let time = Timestamp(
        microseconds: .random(
          in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &random))
      #expect(appended(time) == time.description)
      #expect(Timestamp(appended(time)) == time)
    }
    for number in [Int64.min, .max] {
      let time = Timestamp(microseconds: number)
      #expect(appended(time) == time.description)
    }
  }

  private func appended(_ time: Timestamp) -> String {
    var bytes = Array("at ".utf8)
    time.append(to: &bytes)
    return String(decoding: bytes.dropFirst(3), as: UTF8.self)
  }
}
