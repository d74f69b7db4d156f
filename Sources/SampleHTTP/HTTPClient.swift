import Foundation
import FoundationNetworking
import Refold
import SampleReactors
import Synchronization

/// A server's API over HTTP.
///
/// - Cancelling the task that sends cancels the request: its connection is closed.
/// - Redirects are not followed, as a token is for one host.
/// - Nothing is kept between requests: no cookies, no cache, no credentials.
/// - No message has a token in it, or a piece of one, whatever the server says.
/// - A POST whose answer is lost is not sent twice: it goes over a connection of its own, as libcurl
///   repeats by itself what it sent over one that was used before.
///
/// Up to Swift 6.3 URLSession on Linux traps where an answer ends inside its head; nothing on this
/// side of it can help that. To a log it is a crash like any other.
final class HTTPClient: Sendable {
  private let base: URL
  private let headers: [String: String]
  private let patience: Patience
  private let exchanges: Exchanges
  private let maximumAnswerBytes: Int
  private let concealed = Mutex<[String]>([])

  /// How long an answer is waited for.
  struct Patience: Sendable {
    /// Seconds without any byte from the server after which a request has failed; at least 1.
    var idle = 30
    /// After this it has failed in any case.
    var total = Duration.seconds(120)
  }

  /// A client of the API below `base`.
  ///
  /// - Parameters:
  ///   - headers: sent with each request.
  ///   - maximumAnswerBytes: a longer answer is an error.
  init(
    base: URL, headers: [String: String] = [:], patience: Patience = Patience(),
    maximumAnswerBytes: Int = HTTPClient.maximumAnswerBytes
  ) {
    self.base = base
    self.headers = headers
    self.patience = patience
    self.maximumAnswerBytes = maximumAnswerBytes
    exchanges = Exchanges(
      idleSeconds: patience.idle, maximumAnswerBytes: maximumAnswerBytes)
  }

  /// 16 MiB: some hundred times what any of the APIs answers.
  static let maximumAnswerBytes = 16 << 20

  /// The body of the answer to `request`.
  ///
  /// - Parameter bearer: the token that says who asks.
  /// - Throws: `Unauthorized` for status 401; `CancellationError`; else `AppError`.
  func send(_ request: HTTPRequest, bearer: Secret<String>? = nil) async throws -> [UInt8] {
    let token = try bearer.map { try Self.headerText($0) }
    let (body, response) = try await exchange(try urlRequest(request, token))
    guard let response = response as? HTTPURLResponse else {
      throw AppError.undecodable(reason: "the answer is not HTTP")
    }
    let concealed = SecretTexts(concealed.withLock { $0 } + [token].compactMap { $0 })
    if let error = AnswerError(response, body: body, to: request, concealing: concealed).error {
      throw error
    }
    guard response.isComplete(body) else {
      throw AppError.network(reason: reason(.networkConnectionLost))
    }
    return Array(body)
  }

  /// The answer to `request`, decoded. Keys that `type` does not know are ignored.
  ///
  /// - Throws: as `send(_:bearer:)`; `AppError.undecodable` for a body that is not what was expected.
  func json<T: Decodable>(
    _ type: T.Type, _ request: HTTPRequest, bearer: Secret<String>? = nil
  ) async throws -> T {
    let body = try await send(request, bearer: bearer)
    do {
      return try EventCodec().decode(type, from: body)
    } catch {
      throw AppError.undecodable(
        reason: request.isSecret ? "it holds no token" : error.expectation)
    }
  }

  /// Lets no message quote a piece of `token` from now on, nor of those that came just before it. A
  /// bearer is concealed in any case.
  func conceal(_ token: AuthToken) {
    concealed.withLock { concealed in
      concealed += [token.access.value, token.refresh.value].compactMap { $0 }
      // Those of another account, or of before a renewal, may be quoted by an answer that is late.
      concealed = concealed.suffix(8)
    }
  }

  /// The token as it can stand in a header.
  /// - Throws: `Unauthorized` for one that cannot, such as one that was read back from a log. A line
  ///   break in it would begin a header of its own.
  private static func headerText(_ token: Secret<String>) throws -> String {
    guard let text = token.value, !text.isEmpty,
      text.utf8.allSatisfy({ (0x21...0x7e).contains($0) })
    else { throw Unauthorized() }
    return text
  }

  private func urlRequest(_ request: HTTPRequest, _ token: String?) throws -> URLRequest {
    guard let url = request.url(below: base) else {
      throw AppError.badRequest(reason: "a part of its path is empty, . or ..")
    }
    var result = URLRequest(url: url)
    result.cachePolicy = .reloadIgnoringLocalCacheData
    result.httpMethod = request.method.rawValue
    result.httpShouldHandleCookies = false
    for (name, value) in headers { result.setValue(value, forHTTPHeaderField: name) }
    if let token { result.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
    if let body = request.body {
      result.httpBody = body.bytes
      result.setValue(body.type, forHTTPHeaderField: "Content-Type")
    }
    return result
  }
}

extension HTTPClient {
  private struct TooSlow: Error {}

  /// URLSession's own limit for a whole exchange does nothing on Linux, so time runs beside it.
  private func exchange(_ request: URLRequest) async throws -> (Data, URLResponse?) {
    let exchanges =
      request.httpMethod == HTTPRequest.Method.post.rawValue
      ? Exchanges(idleSeconds: patience.idle, maximumAnswerBytes: maximumAnswerBytes) : exchanges
    do {
      return try await withThrowingTaskGroup(of: (Data, URLResponse?).self) { group in
        group.addTask { try await exchanges.answer(to: request) }
        group.addTask { [patience] in
          try await Task.sleep(for: patience.total)
          throw TooSlow()
        }
        defer { group.cancelAll() }
        guard let answer = try await group.next() else { throw CancellationError() }
        return answer
      }
    } catch {
      throw told(error)
    }
  }

  private func told(_ error: any Error) -> any Error {
    switch error {
    case is CancellationError, is AppError: error
    case is TooSlow: AppError.network(reason: "\(place) took more than \(patience.total)")
    case let error as URLError: AppError.network(reason: reason(error.code))
    default: AppError.network(reason: "the connection to \(place) failed")
    }
  }

  /// In words of our own: what the system says has no words on Linux, and may have the address in it.
  private func reason(_ code: URLError.Code) -> String {
    switch code {
    case .cannotConnectToHost: "nothing answers at \(place)"
    case .cannotFindHost, .dnsLookupFailed: "there is no host \(base.host() ?? "")"
    case .timedOut: "\(place) said nothing for \(patience.idle) s"
    // On Linux an answer that breaks off is any of these, and so is one that is no HTTP.
    case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .unknown,
      .unsupportedURL:
      "the answer of \(place) broke off, or is no HTTP"
    case .notConnectedToInternet: "there is no network"
    default: "the connection to \(place) failed, code \(code.rawValue)"
    }
  }

  /// `127.0.0.1:8080`.
  private var place: String {
    let port = base.port ?? (base.scheme?.lowercased() == "https" ? 443 : 80)
    return "\(base.host() ?? ""):\(port)"
  }
}
