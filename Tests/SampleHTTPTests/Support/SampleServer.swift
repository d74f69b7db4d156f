import Foundation
import MarketServer
import SampleHTTP
import SampleReactors
import Testing

/// Where the services of a sample come from: the same tests run over both.
enum SampleOrigin: CaseIterable, Sendable {
  case embedded
  case http
}

/// A server, and the services that ask it.
struct SampleServer: Sendable {
  let server: MarketServer
  let url: URL

  static func start() throws -> SampleServer {
    let server = try MarketServer()
    return SampleServer(server: server, url: try #require(URL(string: server.url)))
  }

  /// The address at which a server listened until just now.
  static func refusing() async throws -> URL {
    let server = try start()
    await server.server.stop()
    return server.url
  }

  var services: HTTPServices { HTTPServices() }
}

/// What can go wrong between a client and a server, and what people are told of it.
struct Trouble: Sendable, CustomTestStringConvertible {
  let name: String
  let fault: Fault
  let isExpected: @Sendable (AppError) -> Bool

  var testDescription: String { name }

  init(
    _ name: String, _ fault: Fault, isExpected: @escaping @Sendable (AppError) -> Bool
  ) {
    (self.name, self.fault, self.isExpected) = (name, fault, isExpected)
  }

  /// Whether it can only happen to an answer that has a body.
  var isOfTheBody: Bool {
    switch fault {
    case .body, .raw, .truncated, .brokenChunks: true
    case .held, .delay, .status, .redirect, .reset: false
    }
  }

  /// Whether the answer is whole, and says no.
  var isOfTheStatus: Bool {
    if case .status = fault { true } else { false }
  }

  /// Each of them.
  static let all: [Trouble] = [
    Trouble("400", .status(400)) { if case .badRequest = $0 { true } else { false } },
    Trouble("401", .status(401)) { $0 == .sessionExpired },
    Trouble("403", .status(403)) { $0 == .invalidCredentials },
    Trouble("404", .status(404)) { if case .noRoute = $0 { true } else { false } },
    Trouble("404 of a thing", .status(404, code: "NOT_FOUND")) {
      $0 == .notFound(what: "what was asked for")
    },
    Trouble("409", .status(409, code: "TAKEN")) { $0 == .conflict(code: "TAKEN") },
    Trouble("429", .status(429, retryAfter: 7)) { $0 == .tooManyRequests(retryAfter: 7) },
    Trouble("500", .status(500)) { $0 == .server(status: 500) },
    Trouble("503", .status(503)) { $0 == .server(status: 503) },
    Trouble("an answer that breaks off", .truncated, isExpected: isNetwork),
    Trouble("a chunk that breaks off", .brokenChunks, isExpected: isNetwork),
    Trouble("a connection that is reset", .reset, isExpected: isNetwork),
    Trouble("bytes that are not UTF-8", .notUTF8, isExpected: isUndecodable),
  ]

  private static let isNetwork: @Sendable (AppError) -> Bool = {
    if case .network = $0 { true } else { false }
  }

  static let isUndecodable: @Sendable (AppError) -> Bool = {
    if case .undecodable = $0 { true } else { false }
  }
}
