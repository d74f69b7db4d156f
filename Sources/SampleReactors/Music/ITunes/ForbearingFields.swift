import Foundation

/// The fields of an object, each nil where it is missing, null, or not what was expected.
struct ForbearingFields<Key: CodingKey> {
  private let values: KeyedDecodingContainer<Key>

  init(_ values: KeyedDecodingContainer<Key>) { self.values = values }

  /// A text that is not blank.
  func text(_ key: Key) -> String? {
    guard let text = try? values.decode(String.self, forKey: key) else { return nil }
    return text.allSatisfy(\.isWhitespace) ? nil : text
  }

  /// A whole number that fits 64 bits, also as `12.0` or `"12"`.
  func integer(_ key: Key) -> Int64? {
    (try? values.decode(Int64.self, forKey: key)) ?? text(key).flatMap { Int64($0) }
  }

  /// A number, with all its digits.
  func decimal(_ key: Key) -> Decimal? { try? values.decode(Decimal.self, forKey: key) }

  /// A date such as `2024-01-05T08:00:00Z`.
  func date(_ key: Key) -> Date? { try? values.decode(Date.self, forKey: key) }

  /// A URL that can be loaded: http or https, with a host.
  func webAddress(_ key: Key) -> URL? { text(key).flatMap(URL.init(webAddress:)) }
}
