import EventStoreTesting
import Foundation
import Refold
import Testing

@Suite struct ExactDateTests {
  private let codec = EventCodec()

  private func text(_ seconds: Double) throws -> String {
    let bytes = try codec.encode(Date(timeIntervalSinceReferenceDate: seconds))
    return String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
  }

  private func seconds(_ text: String) -> Double? {
    (try? codec.decode(Date.self, from: Array("\"\(text)\"".utf8)))?.timeIntervalSinceReferenceDate
  }

  @Test(arguments: [
    (0, "2001-01-01T00:00:00Z"), (-1, "2000-12-31T23:59:59Z"), (0.5, "2001-01-01T00:00:00.5Z"),
    (-0.25, "2000-12-31T23:59:59.75Z"), (817_805_700.123456, "2026-12-01T08:15:00.123456Z"),
    (-978_307_200, "1970-01-01T00:00:00Z"), (-978_307_200.001, "1969-12-31T23:59:59.999Z"),
    (1e-7, "2001-01-01T00:00:00.0000001Z"), (-63_145_526_400, "0000-01-01T00:00:00Z"),
    (252_423_993_599.5, "9999-12-31T23:59:59.5Z"), (95_644_800, "2004-01-13T00:00:00Z"),
  ])
  func a_date_is_iso_8601_in_utc(_ seconds: Double, _ text: String) throws {
    #expect(try self.text(seconds) == text)
    #expect(self.seconds(text) == seconds)
  }

  @Test func dates_come_back_bit_for_bit() throws {
    var random = SeededGenerator(seed: 22)
    for round in 0..<20_000 {
      let scale = pow(10, Double(round % 22) - 10)
      let seconds = Double.random(in: -6...20, using: &random) * scale
      guard (-63_145_526_400...252_423_993_599).contains(seconds) else { continue }
      let found = try self.seconds(text(seconds))
      #expect(found?.bitPattern == seconds.bitPattern, "\(seconds)")
    }
    for seconds in [5e-300, -5e-300, Date.distantPast.timeIntervalSinceReferenceDate] {
      #expect(try self.seconds(text(seconds)) == seconds)
    }
    #expect(try self.seconds(text(-0.0)) == 0)
  }

  @Test func dates_agree_with_foundation() throws {
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: false)
    // From 1583 on: before, Foundation counts in the Julian calendar.
    for day in stride(from: -152_000, to: 2_900_000, by: 997) {
      let date = Date(timeIntervalSinceReferenceDate: Double(day) * 86_400 + Double(day & 0xFFFF))
      #expect(try text(date.timeIntervalSinceReferenceDate) == date.formatted(style))
    }
  }

  @Test(arguments: [
    252_423_993_600, -63_145_526_400.5, 1e12, -1e300, .infinity, -.infinity, .nan,
  ])
  func a_date_outside_the_years_0_to_9999_is_refused(_ seconds: Double) {
    #expect(throws: CodecError.self) { try text(seconds) }
  }

  @Test(arguments: [
    ("2001-01-01T02:00:00+02:00", 0), ("2000-12-31T18:30:00-05:30", 0),
    ("2001-01-01T00:00:00.000Z", 0), ("2001-01-01T00:00:00.0000000001+00:00", 1e-10),
  ])
  func an_offset_is_understood(_ text: String, _ seconds: Double) {
    #expect(self.seconds(text) == seconds)
  }

  @Test(arguments: [
    "", "2001-01-01", "2001-01-01T00:00:00", "2001-13-01T00:00:00Z", "2001-00-01T00:00:00Z",
    "2001-02-29T00:00:00Z", "2001-01-00T00:00:00Z", "2001-01-01T24:00:00Z",
    "2001-01-01T00:60:00Z", "2001-01-01T00:00:60Z", "2001-01-01T00:00:00.Z",
    "2001-01-01T00:00:00z", "2001-1-1T00:00:00Z", "2001-01-01T00:00:00Z ",
    "2001-01-01T00:00:00+2:00", "2001-01-01T00:00:00+24:00", "2001-01-01 00:00:00Z",
    "+2001-01-01T00:00:00Z", "2001-01-01T00:00:00.1.1Z", "２001-01-01T00:00:00Z",
  ])
  func what_is_no_date_is_refused(_ text: String) { #expect(seconds(text) == nil) }
}
