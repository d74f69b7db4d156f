/// ISO 8601 for dates that must come back exactly.
///
/// A date is a Double of seconds since 2001. Its shortest decimal digits give that Double back, so
/// they become the date and the digits of its second, in decimal arithmetic alone; reading takes
/// the same way back. Only the sign of a negative zero is lost, and the two zeros are equal.
enum ExactDate {
  /// `2026-11-30T08:15:00.123456Z`, or nil where the year is not from 0 to 9999 or the number of
  /// seconds not finite.
  static func text(_ seconds: Double) -> String? {
    guard firstSecond...lastSecond ~= seconds else { return nil }
    var (whole, fraction) = decimal(seconds.magnitude)
    if seconds < 0 { (whole, fraction) = negated(whole, fraction) }
    guard firstWholeSecond...lastWholeSecond ~= whole else { return nil }
    let (days, inDay) = floored(whole + epoch, by: 86_400)
    let date = civil(fromDays: days)
    let digits = String(decoding: fraction, as: UTF8.self)
    return pad(date.year, 4) + "-" + pad(date.month, 2) + "-" + pad(date.day, 2) + "T"
      + pad(inDay / 3600, 2) + ":" + pad(inDay / 60 % 60, 2) + ":" + pad(inDay % 60, 2)
      + (digits.isEmpty ? "Z" : ".\(digits)Z")
  }

  /// The seconds since 2001 of an ISO 8601 date and time with `Z` or an offset such as `+02:00`, or
  /// nil where `text` is anything else, names no date, or one that `text(_:)` has no text for.
  static func seconds(_ text: String) -> Double? {
    var scanner = DateScanner(rest: Array(text.utf8)[...])
    guard let (whole, fraction) = scanner.dateTime() else { return nil }
    let days = days(fromCivil: whole.year, whole.month, whole.day)
    guard civil(fromDays: days) == (whole.year, whole.month, whole.day) else { return nil }
    let seconds = days * 86_400 + whole.inDay - epoch
    // An offset, or rounding, leads out of the years that can be written.
    return double(seconds, fraction).flatMap { firstSecond..<lastSecond ~= $0 ? $0 : nil }
  }

  /// 2001-01-01 in seconds since 1970.
  private static let epoch = 978_307_200
  private static let firstWholeSecond = -63_145_526_400
  private static let lastWholeSecond = 252_423_993_599
  private static let firstSecond = Double(firstWholeSecond)
  private static let lastSecond = Double(lastWholeSecond) + 1
}

extension ExactDate {
  /// The whole seconds and the digits after the point of the shortest decimal for `seconds`, which
  /// is not negative and less than 2^53.
  private static func decimal(_ seconds: Double) -> (whole: Int, fraction: [UInt8]) {
    let text = Array(seconds.description.utf8)
    let mantissa = text.prefix { $0 != UInt8(ascii: "e") }
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    var fraction = Array(mantissa[point...].dropFirst())
    var whole = digits(mantissa[..<point])
    if mantissa.endIndex < text.endIndex {
      // Below 1e-4: d.ddde-NN.
      let zeros = digits(text[mantissa.endIndex...].dropFirst(2)) - 1
      fraction =
        Array(repeating: UInt8(ascii: "0"), count: zeros) + mantissa[..<point] + fraction
      whole = 0
    }
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    return (whole, fraction)
  }

  /// -(whole + 0.fraction), whatever the sign of `whole`, as whole seconds and a fraction that counts upwards from them.
  private static func negated(_ whole: Int, _ fraction: [UInt8]) -> (Int, [UInt8]) {
    guard let last = fraction.last else { return (-whole, []) }
    // The ten's complement: 9 less each digit, and 10 less the last, which is not 0.
    let complement = fraction.dropLast().map { 0x69 - $0 } + [0x6A - last]
    return (-whole - 1, complement)
  }

  /// The Double nearest to whole + 0.fraction.
  private static func double(_ whole: Int, _ fraction: [UInt8]) -> Double? {
    var (whole, fraction, sign) = (whole, fraction, "")
    while fraction.last == UInt8(ascii: "0") { fraction.removeLast() }
    if whole < 0 {
      (whole, fraction) = negated(whole, fraction)
      sign = "-"
    }
    return Double("\(sign)\(whole).\(String(decoding: fraction, as: UTF8.self))0")
  }

  private static func digits(_ text: ArraySlice<UInt8>) -> Int {
    text.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
  }

  private static func pad(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
  }
}

extension ExactDate {
  /// The proleptic Gregorian date `days` after 1970-01-01, by counting 400-year eras that start on
  /// a 1 March.
  private static func civil(fromDays days: Int) -> (year: Int, month: Int, day: Int) {
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shifted + 2) / 5 + 1)
  }

  private static func days(fromCivil year: Int, _ month: Int, _ day: Int) -> Int {
    let (era, yearOfEra) = floored(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func floored(_ value: Int, by divisor: Int) -> (quotient: Int, remainder: Int) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }
}

/// Reads the parts of an ISO 8601 date and time.
private struct DateScanner {
  var rest: ArraySlice<UInt8>

  typealias Whole = (year: Int, month: Int, day: Int, inDay: Int)

  mutating func dateTime() -> (Whole, fraction: [UInt8])? {
    guard let year = number(4), skip("-"), let month = number(2), skip("-"), let day = number(2),
      skip("T"), let hour = number(2), skip(":"), let minute = number(2), skip(":"),
      let second = number(2), let fraction = fraction(), let offset = offset(), rest.isEmpty,
      (1...12).contains(month), hour < 24, minute < 60, second < 60
    else { return nil }
    let inDay = hour * 3600 + minute * 60 + second - offset
    return ((year, month, day, inDay), fraction)
  }

  private mutating func skip(_ character: Character) -> Bool {
    guard rest.first == character.asciiValue else { return false }
    rest.removeFirst()
    return true
  }

  private mutating func number(_ width: Int) -> Int? {
    let field = rest.prefix(width)
    guard field.count == width, field.allSatisfy(Self.isDigit) else { return nil }
    rest.removeFirst(width)
    return field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
  }

  private mutating func fraction() -> [UInt8]? {
    guard skip(".") else { return [] }
    let digits = Array(rest.prefix(while: Self.isDigit))
    rest.removeFirst(digits.count)
    return digits.isEmpty ? nil : digits
  }

  /// The seconds that the offset is ahead of UTC.
  private mutating func offset() -> Int? {
    if skip("Z") { return 0 }
    let isBehind = rest.first == UInt8(ascii: "-")
    guard skip("+") || skip("-"), let hours = number(2), skip(":"), let minutes = number(2),
      hours < 24, minutes < 60
    else { return nil }
    return (isBehind ? -1 : 1) * (hours * 3600 + minutes * 60)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
