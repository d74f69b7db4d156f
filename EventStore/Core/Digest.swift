/// A SHA-256 digest: 32 bytes.
public struct Digest: Hashable, Sendable {
  /// The digest's bytes, 32 of them.
  public let bytes: [UInt8]

  /// Wraps `bytes`, or gives nil unless there are 32 of them.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 32 else { return nil }
    self.bytes = Array(bytes)
  }

  /// Wraps `bytes`, known to be 32.
  init(thirtyTwo bytes: [UInt8]) { self.bytes = bytes }

  /// Reads 64 hexadecimal digits, or gives nil.
  public init?(hex: some StringProtocol) {
    let digits = Array(hex.utf8)
    guard digits.count == 64 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 64, by: 2) {
      guard let high = Self.value(of: digits[index]), let low = Self.value(of: digits[index + 1])
      else { return nil }
      bytes.append(high << 4 | low)
    }
    self.bytes = bytes
  }

  private static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 97...102: digit - 87
    case 65...70: digit - 55
    default: nil
    }
  }
}

extension Digest: CustomStringConvertible {
  /// 64 lowercase hexadecimal digits.
  public var description: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(
      decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }
}
