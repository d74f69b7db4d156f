import Foundation

extension MarketBackend {
  /// A token for a new account that nobody has signed up for.
  public func signInAnonymously() -> IssuedToken {
    state.withLock { market in
      market.tokens.issue(for: market.tokens.newAnonymousID(), until: newExpiry)
    }
  }

  /// A token for the user that `provider` vouches for. Id tokens have the demonstration's form: the
  /// provider's name, a hyphen and the user's id, such as `google-u1`.
  ///
  /// - Throws: `AppError.invalidCredentials` for every other.
  public func signIn(
    with provider: AuthProvider, idToken: String
  ) throws(AppError) -> IssuedToken {
    let user = MarketCatalogue.users.first { provider.demoIDToken(for: $0.id) == idToken }
    guard let user else { throw .invalidCredentials }
    return state.withLock { $0.tokens.issue(for: user.id, until: newExpiry) }
  }

  /// A new token for the account of the refresh token `refresh`, which is used up by it.
  ///
  /// - Throws: `Unauthorized` where it is none, was used or taken back.
  public func refresh(_ refresh: String) throws(Unauthorized) -> IssuedToken {
    let token = state.withLock { market -> IssuedToken? in
      guard let account = market.tokens.use(refresh, at: now()) else { return nil }
      return market.tokens.issue(for: account, until: newExpiry)
    }
    guard let token else { throw Unauthorized() }
    return token
  }

  /// Takes back the token that `account` was authorized by, and the refresh token that came with it.
  public func signOut(_ account: Account) {
    guard let token = account.token else { return }
    state.withLock { $0.tokens.revoke(token) }
  }

  /// Deletes `account`: its tokens do not hold any more, and its likes are gone. Whoever signs in
  /// again begins anew.
  /// - Complexity: O(n) for n liked posts.
  public func delete(_ account: Account) {
    state.withLock { market in
      market.tokens.delete(account.id)
      for postID in market.likers.keys { market.likers[postID]?.remove(account.id) }
    }
  }

  private var newExpiry: Date { now().addingTimeInterval(accessLifetime) }
}

extension AuthProvider {
  /// What the provider says of `userID` in this demonstration: `google-u1`.
  public func demoIDToken(for userID: User.ID) -> String { "\(rawValue)-\(userID)" }
}
