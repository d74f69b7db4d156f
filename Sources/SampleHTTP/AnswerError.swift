import Foundation
import FoundationNetworking
import Refold
import SampleReactors

/// What an answer's status means.
struct AnswerError {
  /// nil for an answer that is none.
  let error: (any Error)?

  init(
    _ response: HTTPURLResponse, body: Data, to request: HTTPRequest,
    concealing secrets: SecretTexts
  ) {
    let status = response.statusCode
    guard !(200..<300).contains(status) else {
      error = nil
      return
    }
    let said = Said(body, isQuoted: !request.isSecret, concealing: secrets)
    error = Self.error(
      status, said, retryAfter: Self.retryAfter(response),
      place: Place(method: request.method, path: response.url?.path() ?? ""))
  }

  /// What a server may say about an error, in the body.
  private struct Said {
    var code: String?
    var message: String?

    /// The noun of what does not exist; nil where the server says something else, or is not ours.
    var missing: String? { code == MarketWire.notFoundCode ? message : nil }

    /// More than a sentence is not quoted.
    private static let maximumCharacters = 200

    /// - Parameter secrets: must not be quoted, not even in part, whatever the server says.
    init(_ body: Data, isQuoted: Bool, concealing secrets: SecretTexts) {
      guard isQuoted,
        let failure = try? EventCodec().decode(MarketWire.Failure.self, from: Array(body))
      else { return }
      func quoted(_ text: String?) -> String? {
        guard let text, !text.isEmpty, text.count <= Self.maximumCharacters else { return nil }
        return secrets.appear(in: text) ? nil : text
      }
      (code, message) = (quoted(failure.code), quoted(failure.message))
    }
  }

  /// What was asked for, as people are told of it.
  private struct Place: CustomStringConvertible {
    var method: HTTPRequest.Method
    /// As it was sent, the base of the API included.
    var path: String

    var description: String { "\(method.rawValue) \(path)" }
  }

  private static func error(
    _ status: Int, _ said: Said, retryAfter: Int?, place: Place
  ) -> any Error {
    switch status {
    case 400: AppError.badRequest(reason: said.message ?? "\(place)")
    case 401: Unauthorized()
    case 403: AppError.invalidCredentials
    case 404: said.missing.map(AppError.notFound) ?? AppError.noRoute(path: place.path)
    case 409: AppError.conflict(code: said.code ?? "CONFLICT")
    case 429: AppError.tooManyRequests(retryAfter: retryAfter)
    case 500..<600: AppError.server(status: status)
    case 300..<400:
      AppError.unknown(reason: "the server sent us elsewhere (\(status)), where we do not follow")
    default: AppError.unknown(reason: "the server answered with status \(status)")
    }
  }

  /// Seconds, not below 0; nil where the server says nothing, or a date.
  private static func retryAfter(_ response: HTTPURLResponse) -> Int? {
    response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map { max($0, 0) }
  }
}
