import SampleReactors

// For an API at which nobody signs in. One that wants a sign-in all the same says so with 401, and
// there is no token that could be renewed then.
extension HTTPClient {
  /// As `send`, with `AppError.sessionExpired` for status 401.
  func sendUnsigned(_ request: HTTPRequest) async throws -> [UInt8] {
    try await telling { try await self.send(request) }
  }

  /// As `json`, with `AppError.sessionExpired` for status 401.
  func jsonUnsigned<T: Decodable & Sendable>(
    _ type: T.Type, _ request: HTTPRequest
  ) async throws -> T {
    try await telling { try await self.json(type, request) }
  }

  private func telling<T: Sendable>(_ ask: () async throws -> T) async throws -> T {
    do {
      return try await ask()
    } catch is Unauthorized {
      throw AppError.sessionExpired
    }
  }
}
