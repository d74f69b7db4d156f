extension [UInt8] {
  /// Appends the digits of `number`.
  mutating func append(decimal number: Int) {
    if number < 0 { append(UInt8(ascii: "-")) }
    append(addingCapacity: 20) { text in
      let number = number.magnitude
      var power: UInt = 1
      while number / power >= 10 { power *= 10 }
      while power > 0 {
        text.append(UInt8(truncatingIfNeeded: number / power % 10 + 48))
        power /= 10
      }
    }
  }

  /// Appends what was written in the code.
  mutating func append(literal text: StaticString) {
    text.withUTF8Buffer { append(contentsOf: $0) }
  }
}
