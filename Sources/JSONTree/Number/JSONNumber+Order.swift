extension JSONNumber: Comparable {
  /// Orders by value, exactly: `9007199254740993` is more than `9007199254740992`.
  /// - Complexity: O(n) in the digits.
  public static func < (left: JSONNumber, right: JSONNumber) -> Bool {
    if let one = left.int64, let other = right.int64 { return one < other }
    return left.form < right.form
  }
}

extension DecimalForm: Comparable {
  /// Orders by value.
  package static func < (left: DecimalForm, right: DecimalForm) -> Bool {
    guard left.sign == right.sign else { return left.sign < right.sign }
    return left.isNegative
      ? isSmaller(right, left, inMagnitude: ()) : isSmaller(left, right, inMagnitude: ())
  }

  private var sign: Int { digits.isEmpty ? 0 : isNegative ? -1 : 1 }

  /// The first digit's place decides, then the digits, which end in none that are zero.
  private static func isSmaller(
    _ left: DecimalForm, _ right: DecimalForm, inMagnitude: Void
  ) -> Bool {
    let place = left.exponent.adding(left.digits.count)
    let other = right.exponent.adding(right.digits.count)
    return place == other ? left.digits.lexicographicallyPrecedes(right.digits) : place < other
  }
}

extension DecimalExponent: Comparable {
  /// Orders by value.
  package static func < (left: DecimalExponent, right: DecimalExponent) -> Bool {
    switch (left, right) {
    case (.plain(let one), .plain(let other)): return one < other
    case (.plain, .huge(let isNegative, _)): return !isNegative
    case (.huge(let isNegative, _), .plain): return isNegative
    case (.huge(let leftIsNegative, let one), .huge(let rightIsNegative, let other)):
      guard leftIsNegative == rightIsNegative else { return leftIsNegative }
      let (low, high) = leftIsNegative ? (other, one) : (one, other)
      return low.count == high.count ? low.lexicographicallyPrecedes(high) : low.count < high.count
    }
  }
}
