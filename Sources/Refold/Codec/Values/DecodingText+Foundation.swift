import Foundation
import JSONTree

extension DecodingText {
  /// Whether `type` has another JSON form than its own coding's.
  @inline(__always)
  static func isFoundationType(_ type: Any.Type) -> Bool {
    foundationTypes.contains(ObjectIdentifier(type))
  }

  private struct FoundationTypes {
    let date = ObjectIdentifier(Date.self)
    let data = ObjectIdentifier(Data.self)
    let url = ObjectIdentifier(URL.self)
    let decimal = ObjectIdentifier(Decimal.self)

    @inline(__always)
    func contains(_ type: ObjectIdentifier) -> Bool {
      type == date || type == data || type == url || type == decimal
    }
  }

  /// Kept, because a type of another module is asked for by a call.
  private static let foundationTypes = FoundationTypes()

  /// The value at `node` as one of the types of `isFoundationType(_:)`.
  func foundationValue<T>(_ type: T.Type, at node: Int) throws -> T {
    let value: Any =
      if type == Date.self {
        try date(at: node)
      } else if type == Data.self {
        try data(at: node)
      } else if type == URL.self {
        try url(at: node)
      } else {
        try decimal(at: node)
      }
    guard let value = value as? T else { throw mismatch(type, at: node, expected: "a \(type)") }
    return value
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
