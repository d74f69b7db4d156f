/// A power of ten, of any size.
package enum DecimalExponent: Hashable, Sendable {
  /// A power of at most 18 digits.
  case plain(Int)
  /// A power of more digits, ASCII, without leading zeros.
  case huge(isNegative: Bool, magnitude: [UInt8])

  /// The longest power that is kept as an Int: 10^18 and some more is still far from overflow.
  private static let plainDigits = 18

  /// Reads what follows the `e` of a number: an optional sign and digits. Nothing is 0.
  init(_ text: some Sequence<UInt8>) {
    let text = Array(text)
    let digits = text.filter { $0 >= 0x30 }
    self.init(isNegative: text.first == UInt8(ascii: "-"), magnitude: digits)
  }

  private init(isNegative: Bool, magnitude: [UInt8]) {
    let magnitude = Array(magnitude.drop { $0 == UInt8(ascii: "0") })
    guard magnitude.count <= Self.plainDigits else {
      self = .huge(isNegative: isNegative, magnitude: magnitude)
      return
    }
    let value = magnitude.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    self = .plain(isNegative ? -value : value)
  }

  /// The sum with `amount`, which is less than 10^18 either way.
  func adding(_ amount: Int) -> DecimalExponent {
    switch self {
    case .plain(let value):
      let sum = value + amount
      if sum.magnitude < 1_000_000_000_000_000_000 { return .plain(sum) }
      let magnitude = Array(String(sum.magnitude).utf8)
      return DecimalExponent(isNegative: sum < 0, magnitude: magnitude)
    case .huge(let isNegative, let magnitude):
      // The amount is smaller than the magnitude, so the sign stays.
      let sum = Self.sum(magnitude, isNegative ? -amount : amount)
      return DecimalExponent(isNegative: isNegative, magnitude: sum)
    }
  }

  /// The digits of `magnitude` + `amount`, where that is not negative.
  private static func sum(_ magnitude: [UInt8], _ amount: Int) -> [UInt8] {
    var digits = magnitude
    var carry = amount
    for place in digits.indices.reversed() where carry != 0 {
      let value = Int(digits[place] - 0x30) + carry
      let digit = (value % 10 + 10) % 10
      digits[place] = UInt8(digit) + 0x30
      carry = (value - digit) / 10
    }
    return Array(String(carry).utf8.filter { carry != 0 && $0 >= 0x30 }) + digits
  }

  /// The power in digits.
  var text: [UInt8] {
    switch self {
    case .plain(let value): Array(String(value).utf8)
    case .huge(let isNegative, let magnitude):
      (isNegative ? [UInt8(ascii: "-")] : []) + magnitude
    }
  }
}
