/// The exact value of a JSON number: ±digits × 10^exponent, with digits that neither start nor end
/// with 0, and none for zero. Two numbers are equal exactly if their forms are.
///
/// Nothing is expanded: `1e400000000` is the digit 1 and its exponent.
package struct DecimalForm: Hashable, Sendable {
  /// Whether it is below zero. Zero never is.
  package private(set) var isNegative: Bool
  /// ASCII digits.
  package private(set) var digits: [UInt8]
  /// The power of ten of the last digit.
  package private(set) var exponent: DecimalExponent

  /// The value of a number's text, which a parse has proved.
  /// - Complexity: O(n) in its bytes.
  package init(_ text: UnsafeRawBufferPointer) {
    isNegative = text.first == UInt8(ascii: "-")
    let mantissaEnd = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
    let mantissa = text[..<mantissaEnd].dropFirst(isNegative ? 1 : 0)
    let point = mantissa.firstIndex(of: UInt8(ascii: ".")) ?? mantissa.endIndex
    digits = mantissa.filter { $0 != UInt8(ascii: ".") }
    let fractionLength = max(0, mantissa.endIndex - point - 1)
    let trailingZeros = digits.reversed().prefix { $0 == UInt8(ascii: "0") }.count
    digits.removeLast(trailingZeros)
    digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
    exponent = DecimalExponent(text[mantissaEnd...].dropFirst())
      .adding(trailingZeros - fractionLength)
    if digits.isEmpty { (isNegative, exponent) = (false, .plain(0)) }
  }
}

extension DecimalForm {
  /// The magnitude where this is an integer that fits; nil elsewhere.
  package func integerMagnitude<Magnitude: FixedWidthInteger & UnsignedInteger>(
    as type: Magnitude.Type
  ) -> Magnitude? {
    guard case .plain(let zeros) = exponent, zeros >= 0 else { return nil }
    guard !digits.isEmpty else { return 0 }
    // 2^128 has 39 digits: whatever is longer fits nowhere, and need not be multiplied out.
    guard zeros <= 39, digits.count + zeros <= 39 else { return nil }
    var value: Magnitude = 0
    for digit in digits + Array(repeating: UInt8(ascii: "0"), count: zeros) {
      let (tenfold, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tenfold.addingReportingOverflow(Magnitude(digit - 0x30))
      guard !overflow, !carry else { return nil }
      value = sum
    }
    return value
  }

  /// Whether the value has no fraction.
  package var isInteger: Bool {
    switch exponent {
    case .plain(let power): power >= 0
    case .huge(let isNegative, _): !isNegative
    }
  }
}

extension DecimalForm {
  /// Plain notation serves up to so many zeros that are not among the digits, and an exponent
  /// beyond.
  private static let plainZeros = 21

  /// The one text of this value: `-12`, `0.05`, `15e400000000`.
  package var canonicalText: [UInt8] {
    guard !digits.isEmpty else { return [UInt8(ascii: "0")] }
    return (isNegative ? [UInt8(ascii: "-")] : []) + magnitudeText
  }

  private var magnitudeText: [UInt8] {
    guard case .plain(let power) = exponent, power <= Self.plainZeros,
      power + digits.count >= -Self.plainZeros
    else { return digits + [UInt8(ascii: "e")] + exponent.text }
    if power >= 0 { return digits + zeros(power) }
    let whole = digits.count + power
    guard whole > 0 else { return Array("0.".utf8) + zeros(-whole) + digits }
    return digits[..<whole] + [UInt8(ascii: ".")] + digits[whole...]
  }

  private func zeros(_ count: Int) -> [UInt8] { Array(repeating: UInt8(ascii: "0"), count: count) }
}
