import Foundation
import JSONTree

extension EncodingTree {
  /// Encodes `value` where it is of one of the types whose JSON form is not their own coding's.
  /// - Returns: whether it was.
  func encodeFoundationValue<T: Encodable>(_ value: T, at node: Int) throws -> Bool {
    guard DecodingText.isFoundationType(T.self) else { return false }
    if let date = value as? Date {
      try encode(date: date, at: node)
    } else if let data = value as? Data {
      try encode(data.base64EncodedString(), at: node)
    } else if let url = value as? URL {
      try encode(url.absoluteString, at: node)
    } else if let decimal = value as? Decimal {
      try encode(decimal: decimal, at: node)
    }
    return true
  }

  private func encode(date: Date, at node: Int) throws {
    let seconds = date.timeIntervalSinceReferenceDate
    guard let text = ExactDate.text(seconds) else {
      throw error(
        at: node, value: date, expected: "a date in the years 0 to 9999",
        found: "one \(seconds) seconds after 2001-01-01T00:00:00Z")
    }
    try encode(text, at: node)
  }

  private func encode(decimal: Decimal, at node: Int) throws {
    guard decimal.isFinite else {
      throw error(at: node, value: decimal, expected: "a finite number", found: "NaN")
    }
    try setScalar(at: node) { $0.append(decimal.description) }
  }
}
