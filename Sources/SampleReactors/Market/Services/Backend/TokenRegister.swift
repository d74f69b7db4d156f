import Foundation

/// Which tokens hold: numbers them, and remembers those that were used up or taken back. A token of
/// another process is taken as if it had been issued here.
struct TokenRegister: Sendable {
  /// A pair of tokens: the access token and the refresh token that came with it.
  private struct Pair: Hashable {
    var account: String
    var number: Int
  }

  private var next: [String: Int] = [:]
  private var used: Set<Pair> = []
  private var revoked: Set<Pair> = []
  /// The last number that a deleted account had.
  private var deleted: [String: Int] = [:]
  private var nextAnonymous = 1

  private static let anonymousPrefix = "a"

  /// The id of a new anonymous account: `a1`, `a2` and so on.
  mutating func newAnonymousID() -> String {
    defer { nextAnonymous += 1 }
    return "\(Self.anonymousPrefix)\(nextAnonymous)"
  }

  /// Whether `id` is that of an account that nobody has signed up for.
  static func isAnonymous(_ id: String) -> Bool { anonymousNumber(id) != nil }

  private static func anonymousNumber(_ id: String) -> Int? {
    guard id.hasPrefix(anonymousPrefix) else { return nil }
    return Int(id.dropFirst(anonymousPrefix.count)).flatMap { $0 >= 1 && $0 < .max ? $0 : nil }
  }

  /// A new pair of tokens for `account`, of which the access token holds until `expiresAt`.
  mutating func issue(for account: String, until expiresAt: Date) -> IssuedToken {
    let number = next[account, default: 1]
    next[account] = number + 1
    let expiry = Int(expiresAt.timeIntervalSince1970 * 1000)
    return IssuedToken(
      access: TokenText(kind: .access, account: account, number: number, expiry: expiry).text,
      refresh: TokenText(kind: .refresh, account: account, number: number).text,
      isAnonymous: Self.isAnonymous(account),
      expiresAt: Date(timeIntervalSince1970: Double(expiry) / 1000))
  }

  /// The token that `text` is, where it holds at `now`; nil where it does not.
  mutating func held(_ text: String?, as kind: TokenText.Kind, at now: Date) -> TokenText? {
    guard let token = text.flatMap(TokenText.init), token.kind == kind, see(token) else {
      return nil
    }
    if let expiry = token.expiry, now.timeIntervalSince1970 * 1000 >= Double(expiry) { return nil }
    guard !revoked.contains(pair(token)), token.number > deleted[token.account, default: 0] else {
      return nil
    }
    return token
  }

  /// Uses the refresh token `text` up; its account, or nil where it does not hold any more.
  mutating func use(_ text: String, at now: Date) -> String? {
    guard let token = held(text, as: .refresh, at: now), used.insert(pair(token)).inserted else {
      return nil
    }
    return token.account
  }

  /// Takes back the pair that `token` belongs to.
  mutating func revoke(_ token: TokenText) { revoked.insert(pair(token)) }

  /// Takes back every token of `account`.
  mutating func delete(_ account: String) { deleted[account] = next[account, default: 1] - 1 }

  /// Notes a token that another process may have issued, so that none is issued twice.
  private mutating func see(_ token: TokenText) -> Bool {
    guard token.number >= 1, token.number < .max else { return false }
    next[token.account] = max(next[token.account, default: 1], token.number + 1)
    if let number = Self.anonymousNumber(token.account) {
      nextAnonymous = max(nextAnonymous, number + 1)
    }
    return true
  }

  private func pair(_ token: TokenText) -> Pair {
    Pair(account: token.account, number: token.number)
  }
}
