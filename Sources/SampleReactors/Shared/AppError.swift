/// What goes wrong in the market, as the log keeps it and people are told of it.
public enum AppError: Error, Codable, Hashable, Sendable {
  /// The server could not be reached, or its answer broke off.
  case network(reason: String)
  /// What was sent makes no sense to the server.
  case badRequest(reason: String)
  /// Sign-in is over, and could not be renewed.
  case sessionExpired
  /// The sign-in was not accepted.
  case invalidCredentials
  /// There is no such thing any more; `what` is a noun, such as `post p0`.
  case notFound(what: String)
  /// The server knows nothing of what is asked for at this path: another server answers there, or
  /// the address leads past the API.
  case noRoute(path: String)
  /// Something else was there first; `code` is the server's word for it.
  case conflict(code: String)
  /// What was chosen has more bytes than are accepted.
  case tooLarge(what: String, bytes: Int, limit: Int)
  /// Too many requests; `retryAfter` is in seconds, where the server said so.
  case tooManyRequests(retryAfter: Int?)
  /// The server failed with this HTTP status.
  case server(status: Int)
  /// The answer could not be read.
  case undecodable(reason: String)
  /// The keychain has no such entry.
  case keychainNotFound
  /// Whatever else.
  case unknown(reason: String)

  /// `error`, as one of these.
  public init(_ error: any Error) {
    self = error as? AppError ?? .unknown(reason: "\(error)")
  }

  /// What an app does about an error.
  public enum Strategy: String, Codable, CaseIterable, Sendable {
    /// Offer to try again.
    case retryable
    /// Tell people what to do differently.
    case userGuide
    /// Ask for sign-in.
    case requireLogin
    /// A mistake in the app: tell its developers.
    case developerError
    /// Say nothing.
    case silent
  }

  /// What to do about it.
  public var strategy: Strategy {
    switch self {
    case .network, .tooManyRequests, .server: .retryable
    case .notFound, .conflict, .tooLarge: .userGuide
    case .sessionExpired, .invalidCredentials: .requireLogin
    case .badRequest, .noRoute, .undecodable, .unknown: .developerError
    case .keychainNotFound: .silent
    }
  }
}

extension AppError: CustomStringConvertible {
  /// What happened, and what to do.
  public var description: String {
    switch self {
    case .network(let reason): "the server cannot be reached (\(reason)). Try again."
    case .badRequest(let reason): "the server did not understand the request: \(reason)"
    case .sessionExpired: "the sign-in has expired. Sign in again."
    case .invalidCredentials: "the sign-in was not accepted. Sign in again."
    case .notFound(let what): "\(what) does not exist any more"
    case .noRoute(let path): "the server has nothing at \(path). Is the address right?"
    case .conflict(let code): "somebody was faster (\(code)). Look again and decide anew."
    case .tooLarge(let what, let bytes, let limit):
      "\(what) has \(bytes) bytes, more than the \(limit) that are accepted. Choose a smaller one."
    case .tooManyRequests(let seconds?): "too many requests. Try again in \(seconds) s."
    case .tooManyRequests(nil): "too many requests. Try again later."
    case .server(let status): "the server failed with status \(status). Try again."
    case .undecodable(let reason): "the server's answer cannot be read: \(reason)"
    case .keychainNotFound: "the keychain has no entry"
    case .unknown(let reason): "something went wrong: \(reason)"
    }
  }
}
