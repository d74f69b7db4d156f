/// Reads the text of numbers, which a parse has proved. Exact, or nil.
package enum JSONNumeral {
  /// Whether the number is negative, and its magnitude, where it is an integer that fits; `1.0` and
  /// `1e3` are integers.
  /// - Complexity: O(n) in the digits.
  package static func integer(
    _ text: UnsafeRawBufferPointer, integral: Bool
  ) -> (isNegative: Bool, magnitude: UInt64)? {
    guard integral else { return integerByForm(text) }
    let isNegative = text.first == UInt8(ascii: "-")
    var magnitude: UInt64 = 0
    for place in (isNegative ? 1 : 0)..<text.count {
      let (tenfold, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(UInt64(text[place] &- 0x30))
      guard !overflow, !carry else { return nil }
      magnitude = sum
    }
    return (isNegative, magnitude)
  }

  private static func integerByForm(
    _ text: UnsafeRawBufferPointer
  ) -> (isNegative: Bool, magnitude: UInt64)? {
    let form = DecimalForm(text)
    return form.integerMagnitude(as: UInt64.self).map { (form.isNegative, $0) }
  }

  /// The signed integer, where it fits.
  package static func int64(_ text: UnsafeRawBufferPointer, integral: Bool) -> Int64? {
    guard let (isNegative, magnitude) = integer(text, integral: integral) else { return nil }
    guard isNegative else { return Int64(exactly: magnitude) }
    return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
  }

  /// The Double nearest to the number; nil where that is not finite.
  /// - Complexity: O(n) in the digits.
  package static func double(_ text: UnsafeRawBufferPointer) -> Double? {
    if let value = shortDouble(text) { return value }
    guard let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite else {
      return nil
    }
    return value
  }

  /// Exact powers of ten: a Double holds 10^22, and no greater power.
  private static let powers: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
  ]

  /// At most 15 digits, perhaps with a point, are an integer that a Double holds exactly; dividing
  /// it by an exact power of ten rounds once, which gives the nearest Double.
  private static func shortDouble(_ text: UnsafeRawBufferPointer) -> Double? {
    guard text.count <= 17 else { return nil }
    let isNegative = text.first == UInt8(ascii: "-")
    var mantissa: Int64 = 0
    var (digits, fraction, isFraction) = (0, 0, false)
    for byte in text.dropFirst(isNegative ? 1 : 0) {
      if byte == UInt8(ascii: ".") {
        isFraction = true
        continue
      }
      guard byte &- 0x30 < 10 else { return nil }
      mantissa = mantissa * 10 + Int64(byte - 0x30)
      digits += 1
      fraction += isFraction ? 1 : 0
    }
    guard digits <= 15 else { return nil }
    let value = Double(mantissa) / powers[fraction]
    return isNegative ? -value : value
  }
}
