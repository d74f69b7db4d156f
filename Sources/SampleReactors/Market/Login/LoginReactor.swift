import Refold

/// The sign-in screen: turns what Google or Apple vouch for into a token of the device and a user
/// in the user store.
///
/// Id tokens and nonces are secrets: they are used in the process that they came to, and the log
/// has digests of them. So a login that a crash interrupted cannot be retried; people sign in
/// again.
///
/// A login saves the token, then fetches the profile. Where that fails the token stays saved, since
/// the sign-in itself was accepted: the next `CheckAuthOnLaunch` or login completes it or clears
/// it. The user store is not told until then.
public struct LoginReactor: Reactor {
  /// What can be asked for.
  public enum Action: Codable, Equatable, Sendable {
    /// Google vouches for somebody. Ignored while a login runs.
    case googleLoginCompleted(idToken: Secret<String>)
    /// Google's screen was left without a sign-in. Whoever cancelled it knows: nothing happens where
    /// the whole reason is `cancelled`, `cancelled by user` or `The user canceled the sign-in flow.`,
    /// in capitals or not, with one l or two.
    case googleLoginFailed(reason: String)
    /// Apple's screen is to be opened: a nonce is made for it.
    case appleLoginTapped
    /// Apple vouches for somebody. Ignored while a login runs.
    case appleLoginCompleted(idToken: Secret<String>)
  }

  /// What can happen.
  public enum Mutation: Codable, Equatable, Sendable {
    /// Whether a login runs.
    case setLoading(Bool)
    /// Token and user are where they belong.
    case setLoginCompleted
    /// A login failed.
    case setError(AppError)
    /// What Apple's answer is bound to. Beyond what people see.
    case setAppleNonce(Secret<String>)
    /// A login that ran in another run of this session does so no more. Cause 0.
    case setInterrupted
  }

  /// The sign-in screen.
  public struct State: Codable, Equatable, Sendable {
    /// Whether a login runs.
    public var isLoading = false
    /// Whether the last login succeeded.
    public var isLoginCompleted = false
    /// What Apple's answer is to be bound to; good for one login.
    public var appleNonce: Secret<String>?
    /// What went wrong.
    @Pulse public var error: AppError?

    /// Before any login.
    public init() {}
  }

  /// No login yet.
  public let initialState = State()

  private let auth: any AuthService
  private let tokens: any TokenStore
  private let users: UserStore
  private let nonce: @Sendable () -> Secret<String>

  /// A sign-in screen.
  ///
  /// - Parameters:
  ///   - auth: accepts what the providers vouch for.
  ///   - tokens: where the device's token goes.
  ///   - users: is told who has signed in.
  ///   - nonce: makes what Apple's answer is bound to, another one at each call.
  public init(
    auth: any AuthService, tokens: any TokenStore, users: UserStore,
    nonce: @escaping @Sendable () -> Secret<String> = LoginReactor.randomNonce
  ) {
    self.auth = auth
    self.tokens = tokens
    self.users = users
    self.nonce = nonce
  }

  /// 32 random bytes from the system's generator, as 64 hexadecimal digits.
  @Sendable public static func randomNonce() -> Secret<String> {
    let digits = SecretKey.randomBytes().map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return Secret(digits.joined())
  }

  /// One of each action.
  public static var exampleActions: [Action] {
    [
      .googleLoginCompleted(idToken: Secret(AuthProvider.google.demoIDToken(for: "u1"))),
      .googleLoginFailed(reason: "no network"), .appleLoginTapped,
      .appleLoginCompleted(idToken: Secret(AuthProvider.apple.demoIDToken(for: "u2"))),
    ]
  }

  /// `setInterrupted` where a login was left unfinished, which would keep every other one out. A nonce
  /// that no login has used stays: Apple's screen may be open in another process.
  public func recover(state: State) -> Mutation? { state.isLoading ? .setInterrupted : nil }

  /// Decides; see each action.
  public func mutate(action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .googleLoginCompleted(let idToken): logIn(with: .google, idToken, state)
    case .googleLoginFailed(let reason):
      Self.isCancelled(reason)
        ? .empty : .just(.setError(.unknown(reason: "Google's sign-in failed: \(reason)")))
    case .appleLoginTapped: state.isLoading ? .empty : .just(.setAppleNonce(nonce()))
    case .appleLoginCompleted(let idToken): logIn(with: .apple, idToken, state)
    }
  }

  /// Applies `mutation`.
  public func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading):
      state.isLoading = isLoading
      // The end of a login uses the nonce up, the beginning of one makes the last one old news.
      if isLoading { state.isLoginCompleted = false } else { state.appleNonce = nil }
    case .setLoginCompleted: state.isLoginCompleted = true
    case .setError(let error): state.error = error
    case .setAppleNonce(let nonce): state.appleNonce = nonce
    case .setInterrupted:
      state.isLoading = false
      // It was for the login that did not come to its end.
      state.appleNonce = nil
    }
  }
}

extension LoginReactor {
  private func logIn(
    with provider: AuthProvider, _ idToken: Secret<String>, _ state: State
  ) -> Effect<Mutation> {
    guard !state.isLoading else { return .empty }
    let nonce = provider == .apple ? state.appleNonce : nil
    return .concat(
      .just(.setLoading(true)),
      .callAPI { [auth, tokens, users] in
        // Read back from the log, where only a digest is: a nonce can be used only by the process
        // that made it, and what is bound to it only together with it.
        if idToken.value == nil { throw AppError.invalidCredentials }
        if let nonce, nonce.value == nil { throw AppError.invalidCredentials }
        let token = try await auth.signIn(with: provider, idToken: idToken, nonce: nonce)
        try Task.checkCancellation()
        try tokens.save(token)
        guard let user = try await auth.me() else { throw AppError.notFound(what: "the account") }
        try Task.checkCancellation()
        users.setUser(user)
        return .setLoginCompleted
      } onError: { error in
        .just(.setError(AppError(error)))
      },
      .just(.setLoading(false)))
  }

  private static let cancellations = [
    "the user canceled the sign-in flow", "canceled", "cancelled", "canceled by user",
    "cancelled by user",
  ]

  /// Google says "The user canceled the sign-in flow.", others "cancelled". Only as the whole reason:
  /// that the network cancelled a request is an error like any other.
  private static func isCancelled(_ reason: String) -> Bool {
    var words = reason.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
    if words.hasSuffix(".") { words.removeLast() }
    return Self.cancellations.contains(words)
  }
}
