extension Timestamp {
  /// Appends `description`, which has nothing that JSON or CSV escapes, to `text`.
  package func append(to text: inout [UInt8]) {
    let (date, inDay) = civil
    guard (0...9999).contains(date.year) else {
      text.append(contentsOf: description.utf8)
      return
    }
    text.append(addingCapacity: 27) { text in
      text.append(date.year, digits: 4)
      text.append(UInt8(ascii: "-"))
      text.append(date.month, digits: 2)
      text.append(UInt8(ascii: "-"))
      text.append(date.day, digits: 2)
      text.append(UInt8(ascii: "T"))
      let seconds = inDay / 1_000_000
      text.append(seconds / 3600, digits: 2)
      text.append(UInt8(ascii: ":"))
      text.append(seconds / 60 % 60, digits: 2)
      text.append(UInt8(ascii: ":"))
      text.append(seconds % 60, digits: 2)
      text.append(UInt8(ascii: "."))
      text.append(inDay % 1_000_000, digits: 6)
      text.append(UInt8(ascii: "Z"))
    }
  }
}

extension OutputSpan<UInt8> {
  /// Appends the last `digits` decimal digits of `number`, which is not negative.
  @inline(__always)
  fileprivate mutating func append(_ number: Int64, digits: Int) {
    var power: Int64 = 1
    for _ in 1..<digits { power *= 10 }
    while power > 0 {
      append(UInt8(truncatingIfNeeded: number / power % 10 + 48))
      power /= 10
    }
  }
}
