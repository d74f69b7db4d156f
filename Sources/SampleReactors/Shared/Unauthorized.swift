/// The server does not take the token that came with a request: HTTP's 401. Between a service and
/// what renews its token; people are told `AppError.sessionExpired`.
public struct Unauthorized: Error, Hashable, Sendable {
  /// An error.
  public init() {}
}
