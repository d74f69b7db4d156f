/// A moment in microseconds since 1970-01-01T00:00:00Z, UTC, without leap seconds.
public struct Timestamp: Hashable, Comparable, Sendable {
  /// Microseconds since 1970, UTC.
  public let microseconds: Int64

  /// The moment `microseconds` after 1970-01-01T00:00:00Z.
  public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Orders by time.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.microseconds < right.microseconds
  }
}

extension Timestamp: CustomStringConvertible {
  /// ISO 8601 with all six digits of the microseconds: `2026-11-30T08:15:00.123456Z`.
  public var description: String {
    let (day, inDay) = civil
    let seconds = inDay / 1_000_000
    let date = "\(Self.padded(day.year, 4))-\(Self.padded(day.month, 2))-\(Self.padded(day.day, 2))"
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60]
      .map { Self.padded($0, 2) }.joined(separator: ":")
    return "\(date)T\(time).\(Self.padded(inDay % 1_000_000, 6))Z"
  }

  /// Reads `2026-11-30T08:15:00Z`, with up to six digits of a second's fraction.
  ///
  /// - Returns: nil where `text` is anything else, a date that does not exist, or another zone.
  public init?(_ text: some StringProtocol) {
    var scanner = TimestampScanner(rest: Array(text.utf8)[...])
    guard
      let year = scanner.digits(4), scanner.skip("-"), let month = scanner.digits(2),
      scanner.skip("-"), let day = scanner.digits(2), scanner.skip("T"),
      let hour = scanner.digits(2), scanner.skip(":"), let minute = scanner.digits(2),
      scanner.skip(":"), let second = scanner.digits(2), let fraction = scanner.fraction(),
      scanner.skip("Z"), scanner.rest.isEmpty,
      hour < 24, minute < 60, second < 60
    else { return nil }
    let days = Self.days(fromCivil: year, month, day)
    guard Self.civil(fromDays: days) == CivilDate(year: year, month: month, day: day) else {
      return nil
    }
    let seconds = days * 86_400 + hour * 3600 + minute * 60 + second
    self.init(microseconds: seconds * 1_000_000 + fraction)
  }
}

extension Timestamp {
  private static let microsecondsPerDay: Int64 = 86_400_000_000

  /// The date, and the microseconds since it began.
  var civil: (date: CivilDate, inDay: Int64) {
    let (days, inDay) = microseconds.flooredDivision(by: Self.microsecondsPerDay)
    return (Self.civil(fromDays: days), inDay)
  }

  private static func padded(_ number: Int64, _ width: Int) -> String {
    let digits = String(number.magnitude)
    let zeros = String(repeating: "0", count: Swift.max(0, width - digits.count))
    return (number < 0 ? "-" : "") + zeros + digits
  }

  /// The proleptic Gregorian date `days` after 1970-01-01, by counting 400-year eras that start on
  /// a 1 March.
  private static func civil(fromDays days: Int64) -> CivilDate {
    let (era, dayOfEra) = (days + 719_468).flooredDivision(by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return CivilDate(year: year, month: month, day: dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func days(fromCivil year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let (era, yearOfEra) = shiftedYear.flooredDivision(by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }
}

extension Int64 {
  fileprivate func flooredDivision(by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// A day of the proleptic Gregorian calendar.
struct CivilDate: Equatable {
  let year: Int64
  let month: Int64
  let day: Int64
}

private struct TimestampScanner {
  var rest: ArraySlice<UInt8>

  mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  mutating func digits(_ count: Int) -> Int64? {
    let field = rest.prefix(count)
    guard field.count == count, let value = Self.number(field) else { return nil }
    rest.removeFirst(count)
    return value
  }

  /// The microseconds of `.5`, `.123456` or nothing.
  mutating func fraction() -> Int64? {
    guard skip(".") else { return 0 }
    let field = rest.prefix { (48...57).contains($0) }
    guard (1...6).contains(field.count), let value = Self.number(field) else { return nil }
    rest.removeFirst(field.count)
    return (field.count..<6).reduce(value) { value, _ in value * 10 }
  }

  private static func number(_ field: ArraySlice<UInt8>) -> Int64? {
    var value: Int64 = 0
    for byte in field {
      guard (48...57).contains(byte) else { return nil }
      value = value * 10 + Int64(byte - 48)
    }
    return value
  }
}
