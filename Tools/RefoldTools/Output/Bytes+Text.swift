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

extension UnsafeRawBufferPointer {
  /// Whether there is a byte below 0x20.
  /// - Complexity: O(n), eight bytes at a time.
  var containsControl: Bool {
    var place = 0
    while place + 8 <= count {
      let word = loadUnaligned(fromByteOffset: place, as: UInt64.self)
      // A byte borrows into its own top bit, which it had not set, only if it is below 0x20; a
      // borrow from the byte before is one more than that, and means that there is one already.
      if (word &- 0x2020_2020_2020_2020) & ~word & 0x8080_8080_8080_8080 != 0 { return true }
      place += 8
    }
    while place < count {
      if self[place] < 0x20 { return true }
      place += 1
    }
    return false
  }
}
