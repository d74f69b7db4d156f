import Refold
import SampleReactors

/// What a client is answered.
struct Answer: Sendable {
  var status: Int
  var headers: [(name: String, value: String)] = []
  var type: String?
  var body: [UInt8] = []

  /// Done, and nothing to say.
  static let done = Answer(status: 204)

  /// `value` as JSON.
  static func json(_ value: some Encodable, status: Int = 200) throws -> Answer {
    Answer(status: status, type: "application/json", body: try EventCodec().encode(value))
  }

  /// What went wrong, as every client of this server expects it.
  static func failure(_ status: Int, code: String, _ message: String) -> Answer {
    let failure = MarketWire.Failure(code: code, message: message)
    return (try? json(failure, status: status)) ?? Answer(status: status)
  }

  /// Why something was refused.
  init(_ refusal: Refusal) {
    self = .failure(refusal.status, code: "REFUSED", refusal.message)
  }

  init(
    status: Int, headers: [(name: String, value: String)] = [], type: String? = nil,
    body: [UInt8] = []
  ) {
    (self.status, self.headers, self.type, self.body) = (status, headers, type, body)
  }
}

extension Answer {
  /// What `error` means to a client.
  init(_ error: any Error) {
    switch error {
    case is Unauthorized:
      self = .failure(401, code: "UNAUTHORIZED", "the access token does not hold")
    case let error as AppError: self = Self.failure(error)
    default: self = .failure(500, code: "INTERNAL", "something went wrong")
    }
  }

  private static func failure(_ error: AppError) -> Answer {
    switch error {
    case .badRequest(let reason): return .failure(400, code: "BAD_REQUEST", reason)
    case .sessionExpired:
      return .failure(401, code: "SESSION_EXPIRED", "the sign-in has expired")
    case .invalidCredentials:
      return .failure(403, code: "INVALID_CREDENTIALS", "sign in for this")
    case .notFound(let what): return .failure(404, code: MarketWire.notFoundCode, what)
    case .noRoute(let path):
      return .failure(404, code: MarketWire.noRouteCode, "there is nothing at \(path)")
    case .conflict(let code): return .failure(409, code: code, "it is there already")
    case .tooLarge(let what, _, let limit):
      return .failure(413, code: "TOO_LARGE", "\(what) has more than \(limit) bytes")
    case .tooManyRequests(let seconds):
      var answer = Answer.failure(429, code: "TOO_MANY_REQUESTS", "try again later")
      if let seconds { answer.headers.append(("Retry-After", "\(seconds)")) }
      return answer
    case .network, .server, .undecodable, .keychainNotFound, .unknown:
      return .failure(500, code: "INTERNAL", "something went wrong")
    }
  }

  /// The head; the body's length is what `length` says.
  func head(keepsAlive: Bool, length: BodyLength) -> String {
    var lines = ["HTTP/1.1 \(status) \(Self.reason(status))"]
    lines += headers.map { "\($0.name): \($0.value)" }
    if let type { lines.append("Content-Type: \(type)") }
    switch length {
    case .bytes(let count):
      if status != 204 { lines.append("Content-Length: \(count)") }
    case .chunked: lines.append("Transfer-Encoding: chunked")
    }
    lines.append("Connection: \(keepsAlive ? "keep-alive" : "close")")
    return lines.joined(separator: "\r\n") + "\r\n\r\n"
  }

  /// How a client is told where the body ends.
  enum BodyLength {
    case bytes(Int)
    case chunked
  }

  private static func reason(_ status: Int) -> String { reasons[status] ?? "Status" }

  private static let reasons = [
    200: "OK", 201: "Created", 204: "No Content", 302: "Found", 400: "Bad Request",
    401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
    409: "Conflict", 411: "Length Required", 413: "Content Too Large", 417: "Expectation Failed",
    429: "Too Many Requests", 431: "Request Header Fields Too Large",
    500: "Internal Server Error", 501: "Not Implemented", 503: "Service Unavailable",
    505: "HTTP Version Not Supported",
  ]
}
