/// A token as it travels: readable, and with a check at its end, so that every process with the
/// embedded backend takes the tokens of every other.
///
///     access.u1.3.1780272900000.5f0c…     kind, account, number, end of validity, check
///     refresh.u1.3.5f0c…
///
/// The check finds a token that was mistyped or made up by hand. It is no signature: whoever reads
/// this file can make one. The market is a demonstration, and its accounts guard nothing.
struct TokenText: Hashable, Sendable {
  /// What a token is for.
  enum Kind: String, Sendable {
    case access
    case refresh
  }

  var kind: Kind
  var account: String
  /// Counts the sign-ins and renewals of the account.
  var number: Int
  /// When it ends, in milliseconds since 1970; nil for never.
  var expiry: Int?

  var text: String { "\(body).\(Self.check(of: body))" }

  private var body: String {
    ([kind.rawValue, account, "\(number)"] + (expiry.map { ["\($0)"] } ?? []))
      .joined(separator: ".")
  }
}

extension TokenText {
  /// The token that `text` is; nil for a text that is none.
  init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    guard parts.count >= 4, let kind = Kind(rawValue: parts[0]), let number = Int(parts[2])
    else { return nil }
    self.init(kind: kind, account: parts[1], number: number, expiry: nil)
    if kind == .access {
      guard parts.count == 5, let expiry = Int(parts[3]) else { return nil }
      self.expiry = expiry
    }
    // Compared whole: 03 and 3 are one number, but not one token.
    guard self.text == text else { return nil }
  }

  /// FNV-1a, 64 bits.
  private static func check(of body: String) -> String {
    let hash = body.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { hash, byte in
      (hash ^ UInt64(byte)) &* 0x100_0000_01b3
    }
    return String(hash, radix: 16)
  }
}
