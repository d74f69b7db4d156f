import Foundation
import FoundationNetworking
import Refold
import SampleReactors

/// What an answer's status means.
struct AnswerError {
  /// nil for an answer that is none.
  let error: (any Error)?

  init(_ response: HTTPURLResponse, body: Data, to request: HTTPRequest) {
    error = Self.error(response, Said(body), request)
  }

  /// What a server may say about an error, in the body.
  private struct Said: Decodable {
    var code: String?
    var message: String?

    init(_ body: Data) {
      self = (try? EventCodec().decode(Said.self, from: Array(body))) ?? Said()
    }

    private init() {}
  }

  private static func error(
    _ response: HTTPURLResponse, _ said: Said, _ request: HTTPRequest
  ) -> (any Error)? {
    let status = response.statusCode
    let what = said.message ?? "\(request.method.rawValue) /\(request.path.joined(separator: "/"))"
    switch status {
    case 200..<300: return nil
    case 400: return AppError.badRequest(reason: what)
    case 401: return Unauthorized()
    case 403: return AppError.invalidCredentials
    case 404: return AppError.notFound(what: what)
    case 409: return AppError.conflict(code: said.code ?? "CONFLICT")
    case 429: return AppError.tooManyRequests(retryAfter: retryAfter(response))
    case 500..<600: return AppError.server(status: status)
    default: return AppError.unknown(reason: "the server answered with status \(status)")
    }
  }

  private static func retryAfter(_ response: HTTPURLResponse) -> Int? {
    response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }
  }
}
