/// How figures are written: three digits that count.
package enum Figures {
  package static func time(seconds: Double) -> String {
    switch seconds {
    case ..<1e-6: "\(significant(seconds * 1e9)) ns"
    case ..<1e-3: "\(significant(seconds * 1e6)) us"
    case ..<1: "\(significant(seconds * 1e3)) ms"
    default: "\(significant(seconds)) s"
    }
  }

  /// The median, in brackets the least and the most.
  package static func times(seconds: Spread) -> String {
    let time = time(seconds:)
    return "\(time(seconds.median)) (\(time(seconds.least)) to \(time(seconds.most)))"
  }

  /// The median, in brackets the least and the most.
  package static func ratio(_ spread: Spread) -> String {
    let text = [spread.median, spread.least, spread.most].map(significant)
    return "\(text[0]) (\(text[1]) to \(text[2]))"
  }

  /// So many a second.
  package static func rate(_ rate: Double) -> String {
    switch rate {
    case ..<1e4: significant(rate)
    case ..<1e6: "\(significant(rate / 1e3)) k"
    default: "\(significant(rate / 1e6)) M"
    }
  }

  package static func mebibytes(_ bytes: Int) -> String {
    "\(number(Double(bytes) / 1_048_576, digits: 1)) MiB"
  }

  /// Thousands apart: 1,000,000.
  package static func count(_ value: Int) -> String {
    var digits = String(value.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (value < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }

  package static func significant(_ value: Double) -> String {
    var digits = 2
    var bound = 10.0
    while digits > 0, value >= bound { (digits, bound) = (digits - 1, bound * 10) }
    bound = 1
    while digits < 9, value > 0, value < bound { (digits, bound) = (digits + 1, bound / 10) }
    return number(value, digits: digits)
  }

  package static func number(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    guard let scaled = Int(exactly: (value * scale).rounded()) else { return "\(value)" }
    if digits == 0 { return "\(scaled)" }
    let fraction = "\(abs(scaled) % Int(scale))"
    return (scaled < 0 ? "-" : "") + "\(abs(scaled) / Int(scale))."
      + String(repeating: "0", count: digits - fraction.count) + fraction
  }
}
