import Foundation
import JSONTree

extension DecodingText {
  /// The value at `node` as one of the types whose JSON form is not their own coding's; nil for all
  /// other types.
  func foundationValue<T: Decodable>(_ type: T.Type, at node: Int) throws -> T? {
    if type == Date.self { return try date(at: node) as? T }
    if type == Data.self { return try data(at: node) as? T }
    if type == URL.self { return try url(at: node) as? T }
    if type == Decimal.self { return try decimal(at: node) as? T }
    return nil
  }

  private func date(at node: Int) throws -> Date {
    let expected = "a date such as \"2026-11-30T08:15:00.5Z\""
    guard index.nodes[node].kind == .string else {
      throw mismatch(Date.self, at: node, expected: expected)
    }
    guard let seconds = ExactDate.seconds(index.string(at: node, in: bytes)) else {
      throw misfit(at: node, expected: expected)
    }
    return Date(timeIntervalSinceReferenceDate: seconds)
  }

  private func data(at node: Int) throws -> Data {
    guard index.nodes[node].kind == .string else {
      throw mismatch(Data.self, at: node, expected: "a string of base64")
    }
    guard let data = Data(base64Encoded: index.string(at: node, in: bytes)) else {
      throw misfit(at: node, expected: "base64")
    }
    return data
  }

  private func url(at node: Int) throws -> URL {
    guard index.nodes[node].kind == .string else {
      throw mismatch(URL.self, at: node, expected: "a URL as a string")
    }
    guard let url = URL(string: index.string(at: node, in: bytes)) else {
      throw misfit(at: node, expected: "a URL")
    }
    return url
  }

  /// Exactly the digits, or an error: a Decimal holds 38 of them.
  private func decimal(at node: Int) throws -> Decimal {
    let expected = "a number that fits Decimal exactly"
    let form = DecimalForm(try number(at: node, for: Decimal.self, expected: expected))
    let text = String(decoding: form.canonicalText, as: UTF8.self)
    guard let value = Decimal(string: text, locale: nil),
      JSONNumber(value.description)?.form == form
    else { throw misfit(at: node, expected: expected) }
    return value
  }
}
