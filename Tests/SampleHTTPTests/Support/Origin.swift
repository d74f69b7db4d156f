import Foundation
import MarketServer
import Refold
import SampleHTTP
import SampleReactors
import Synchronization
import Testing

/// Where the market's services come from. Both are held to the same contract.
enum Origin: String, CaseIterable, Sendable {
  case embedded
  case http
}

/// A market, a device that uses it, and everything around them that a test moves.
struct Market: Sendable {
  let backend: MarketBackend
  /// nil where the services are embedded.
  let server: MarketServer?
  let clock: MovedClock
  let tokens: MemoryTokenStore
  let services: MarketServices

  /// Runs `body` with a market of `origin`, and stops its server then.
  ///
  /// - Parameter userID: who signs in on the device; nil for an anonymous account.
  static func run(
    _ origin: Origin, as userID: User.ID? = "u1", _ body: (Market) async throws -> Void
  ) async throws {
    let clock = MovedClock()
    let backend = MarketBackend(accessLifetime: 60, now: { clock.now })
    switch origin {
    case .embedded: try await body(Market(backend, nil, clock, userID))
    case .http:
      try await MarketServer.run(backend) { try await body(Market(backend, $0, clock, userID)) }
    }
  }

  private init(
    _ backend: MarketBackend, _ server: MarketServer?, _ clock: MovedClock, _ userID: User.ID?
  ) throws {
    (self.backend, self.server, self.clock) = (backend, server, clock)
    tokens = MemoryTokenStore()
    services = try Self.services(backend, server, tokens, userID)
  }

  /// The services of another device.
  func anotherDevice(as userID: User.ID?, tokens: MemoryTokenStore = MemoryTokenStore()) throws
    -> MarketServices
  {
    try Self.services(backend, server, tokens, userID)
  }

  private static func services(
    _ backend: MarketBackend, _ server: MarketServer?, _ tokens: MemoryTokenStore,
    _ userID: User.ID?
  ) throws -> MarketServices {
    guard let server else { return .embedded(backend, tokens: tokens, userID: userID) }
    let url = try #require(URL(string: server.url))
    return HTTPServices().market(at: url, tokens: tokens, userID: userID)
  }

  /// The first page of what answers `query`.
  func page(_ query: PostQuery = PostQuery(), for user: User? = .mina) async throws -> Page {
    try await services.posts.posts(query, page: 1, size: Page.size, for: user)
  }
}

extension MarketServer {
  /// Runs `body` with a server, and stops it then.
  static func run(
    _ backend: MarketBackend = MarketBackend(), _ body: (MarketServer) async throws -> Void
  ) async throws {
    let server = try MarketServer(backend: backend)
    do {
      try await body(server)
    } catch {
      await server.stop()
      throw error
    }
    await server.stop()
  }

  /// How often `pattern` was asked for.
  func count(_ pattern: RequestPattern) -> Int { requests.count { pattern.matches($0.request) } }
}

/// A date that stands still until the test moves it.
final class MovedClock: Sendable {
  private let date = Mutex(Date(timeIntervalSince1970: 1_780_000_000))

  var now: Date { date.withLock { $0 } }

  func advance(bySeconds seconds: TimeInterval) {
    date.withLock { $0 = $0.addingTimeInterval(seconds) }
  }
}

extension User {
  static var mina: User { MarketCatalogue.users[0] }
}

extension PostDraft {
  /// A draft that can be posted.
  static func named(_ name: String, influencerID: String = "i1") throws -> PostDraft {
    PostDraft(
      productName: name, price: 9900, category: .food, influencerID: influencerID,
      imageURL: try #require(URL(string: "embedded:///images/1")),
      startDate: Date(timeIntervalSince1970: 1_780_000_000),
      endDate: Date(timeIntervalSince1970: 1_780_500_000))
  }
}
