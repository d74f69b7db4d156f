import Refold
import Synchronization

/// Gives each request the device's token, and renews the token where the server does not take it.
///
///     let interceptor = TokenInterceptor(tokens: tokens, signIn: api.signIn, refresh: api.refresh)
///     let user = try await interceptor.send { access in try await api.me(bearer: access) }
///
/// - Where there is no token yet, `signIn` gives one, which is kept.
/// - A request that throws `Unauthorized` is tried once more, with a newer token. Where the store
///   has one by then, because another request was faster, that is it; else `refresh` is asked.
/// - Of requests that need a new token at the same time, one asks for it and all of them get it.
///   Cancelling a request that waits does not take it from the others: a server often takes a
///   refresh token only once, so that an answer nobody waited for would be a lost sign-in.
///
/// Serves any number of requests at once. All requests of a token store go through one of these.
public final class TokenInterceptor: Sendable {
  private let tokens: any TokenStore
  private let signIn: @Sendable () async throws -> AuthToken
  private let refresh: @Sendable (AuthToken) async throws -> AuthToken
  /// How the token is being changed, while it is.
  private let change = Mutex<SharedWork<AuthToken>?>(nil)
  /// The access tokens of one sign-in, each the renewal of the one before.
  private let renewals = Mutex<[Secret<String>]>([])

  /// An interceptor of these parts.
  ///
  /// - Parameters:
  ///   - tokens: where the device's token is kept.
  ///   - signIn: gives the first token. `Unauthorized` is its word for a sign-in that is refused.
  ///   - refresh: gives another token for one that the server no longer takes.
  public init(
    tokens: any TokenStore, signIn: @escaping @Sendable () async throws -> AuthToken,
    refresh: @escaping @Sendable (AuthToken) async throws -> AuthToken
  ) {
    self.tokens = tokens
    self.signIn = signIn
    self.refresh = refresh
  }

  /// What `request` answers, given the access token to send along.
  ///
  /// - Throws: `AppError.sessionExpired` where the token could not be renewed, or the second try
  ///   was refused as well, or the device was signed out meanwhile. A renewal that failed for a
  ///   reason which says nothing about the token (`.network`, `.server`, `.tooManyRequests`) throws
  ///   that; the old token is kept in any case. `AppError.invalidCredentials` where `signIn` was
  ///   refused. What the token store throws. `CancellationError`. Else what `request` throws.
  public func send<T: Sendable>(
    _ request: @Sendable (Secret<String>) async throws -> T
  ) async throws -> T {
    let token = try await token(after: nil)
    do {
      return try await request(token.access)
    } catch is Unauthorized {}
    let newer = try await self.token(after: token)
    do {
      return try await request(newer.access)
    } catch is Unauthorized {
      throw AppError.sessionExpired
    }
  }
}

extension TokenInterceptor {
  private enum Next {
    case token(AuthToken)
    case change(SharedWork<AuthToken>)
  }

  /// The token to send: any, or for a request whose token was `refused` a newer one.
  private func token(after refused: AuthToken?) async throws -> AuthToken {
    switch try next(after: refused) {
    case .token(let token): token
    case .change(let change): try await change.value
    }
  }

  private func next(after refused: AuthToken?) throws -> Next {
    try change.withLock { change in
      if let running = change { return .change(running) }
      let work: @Sendable () async throws -> AuthToken
      switch (try tokens.token(), refused) {
      case (nil, nil): work = { [self] in try await signedIn() }
      // Signed out since: nobody may go on in the name of who was signed in.
      case (nil, .some): throw AppError.sessionExpired
      case (let token?, let refused?) where token.access == refused.access:
        work = { [self] in try await renewed(token) }
      case (let token?, _): return .token(token)
      }
      let begun = SharedWork { [self] in
        // After the token was saved: whoever comes from here on finds it in the store.
        defer { self.change.withLock { $0 = nil } }
        return try await work()
      }
      change = begun
      return .change(begun)
    }
  }

  private func signedIn() async throws -> AuthToken {
    do {
      return try keep(try await signIn(), insteadOf: nil)
    } catch is Unauthorized {
      throw AppError.invalidCredentials
    }
  }

  private func renewed(_ old: AuthToken) async throws -> AuthToken {
    let newer: AuthToken
    do {
      newer = try await refresh(old)
    } catch {
      // Another process that shares the store may have used the refresh token up.
      if let stored = try tokens.token(), stored.access != old.access { return stored }
      throw Self.isTemporary(error) ? error : AppError.sessionExpired
    }
    let kept = try keep(newer, insteadOf: old)
    if kept.access == newer.access { note(newer, renewalOf: old) }
    return kept
  }

  private func note(_ newer: AuthToken, renewalOf old: AuthToken) {
    renewals.withLock { renewals in
      if renewals.last != old.access { renewals = [old.access] }
      renewals.append(newer.access)
      // A request that is older than so many renewals has long failed.
      renewals = renewals.suffix(8)
    }
  }

  /// Whether `token` came from `old` by renewals of this interceptor, and not by a sign-in.
  func isRenewal(_ token: AuthToken, of old: AuthToken) -> Bool {
    renewals.withLock { renewals in
      guard let first = renewals.firstIndex(of: old.access) else { return false }
      return renewals[first...].dropFirst().contains(token.access)
    }
  }

  /// Saves `newer`, unless the store has changed since: a login or a logout meanwhile has the last
  /// word.
  private func keep(_ newer: AuthToken, insteadOf old: AuthToken?) throws -> AuthToken {
    let stored = try tokens.token()
    guard stored?.access == old?.access else {
      guard let stored else { throw AppError.sessionExpired }
      return stored
    }
    try tokens.save(newer)
    return newer
  }

  /// Whether `error` says nothing about the token.
  private static func isTemporary(_ error: any Error) -> Bool {
    (error as? AppError)?.strategy == .retryable
  }
}
